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
struct sweep_step;

/* 2 added knobs beside the one, drift checks and what the driver may hold; 1 is read as well. */
#define SWEEP_DOC_VERSION 2

/* What the driver may keep of the packets sent while it defers completions; -1: not known. */
struct sweep_held {
	long packets;		/* tx_signal_rate - 1 */
	long usecs;		/* tx_signal_usecs */
};

/* "2026-11-30T09:30:00Z", the time now; buf holds at least 21 bytes. Returns buf. */
const char *sweep_doc_utc(char *buf, size_t buf_len);

/*
 * The document before the first repeat: "start", "plan", an empty "repeats". argv is the sweep's
 * own command line. A new reference.
 */
struct json_t *sweep_doc_new(const struct sweep_options *options, int argc, char **argv,
			     const struct sweep_plan *plan, const struct knob *knob,
			     const struct knob_state *before);

/* One finished run of the plan; takes over the reference to result. A new reference. */
struct json_t *sweep_doc_repeat(const struct sweep_point *point, struct sweep_step step,
				const char *utc, const struct sweep_held *held,
				const struct counters *counters, struct json_t *result);

/* Key of the document's array that a finished run belongs to: "repeats", "drift_checks" or "warmups". */
const char *sweep_doc_place(const struct json_t *repeat);

#endif
