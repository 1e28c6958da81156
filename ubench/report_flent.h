/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Export to flent's data format, version 3. */
#ifndef UBENCH_REPORT_FLENT_H
#define UBENCH_REPORT_FLENT_H

struct json_t;

/*
 * The run as a flent data file: x values are seconds since the first repeat began, and each point
 * has the series "<point> sent PPS" and, if anybody counted, "<point> received PPS", with null where
 * another point was measured; raw_values hold the same by Unix time. A new reference, or NULL if a
 * repeat has no time, as in published tables.
 */
struct json_t *report_flent(const struct json_t *run, const char *title);

#endif
