/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of a run, run.json. */
#ifndef UBENCH_SWEEP_DOC_H
#define UBENCH_SWEEP_DOC_H

#include <stddef.h>

struct json_t;
struct counters;
struct knob;
struct knob_state;
struct sweep_options;
struct sweep_plan;
struct sweep_point;

#define SWEEP_DOC_VERSION 1

/* "2026-11-30T09:30:00Z", the time now; buf holds at least 21 bytes. Returns buf. */
const char *sweep_doc_utc(char *buf, size_t buf_len);

/*
 * The document before the first repeat: "start", "plan", an empty "repeats". argv is the sweep's
 * own command line. A new reference.
 */
struct json_t *sweep_doc_new(const struct sweep_options *options, int argc, char **argv,
			     const struct sweep_plan *plan, const struct knob *knob,
			     const struct knob_state *before);

/* One finished repeat; takes over the reference to result. A new reference. */
struct json_t *sweep_doc_repeat(const struct sweep_point *point, unsigned int round,
				const char *utc, const struct counters *counters,
				struct json_t *result);

#endif
