/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --json-stream: the parts of the JSON document as they come to be, an event a line on stdout. */
#ifndef UBENCH_EVENT_STREAM_H
#define UBENCH_EVENT_STREAM_H

struct result_interval;
struct ubench_result;

/*
 * Each line is an object of "event" and "data", the data as in the document:
 * start (with the schema's version; the first call of a process only),
 * interval, end and, where there is one, error. 0 or -1 with errno set.
 */
int event_stream_start(const struct ubench_result *r);
int event_stream_interval(const struct result_interval *interval);
/* Starts first, when the run failed before it could. */
int event_stream_end(const struct ubench_result *r);

#endif
