/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stored runs: load, print, merge. */
#ifndef UBENCH_REPORT_H
#define UBENCH_REPORT_H

#include <stddef.h>
#include <stdio.h>

struct json_t;

enum { REPORT_MAX_RUNS = 64 };

struct report_runs {
	size_t n;
	struct json_t *docs[REPORT_MAX_RUNS];
	char names[REPORT_MAX_RUNS][128];	/* last part of each path */
};

/*
 * Loads runs from their directories. Returns -1, or the exit code after an error was printed;
 * report_unload() in any case.
 */
int report_load(struct report_runs *runs, const char *const *paths, size_t n);
void report_unload(struct report_runs *runs);

/*
 * Prints a run: netperf's table of each point, the summary, and the run beside others (may be
 * empty).
 */
void report_print(FILE *out, const struct json_t *run, const char *path,
		  const struct report_runs *others);

/* Prints only the table of first beside others. */
void report_print_compared(FILE *out, const struct json_t *first, const char *name,
			   const struct report_runs *others);

/* Derives "points" and "findings" of run.json from its repeats. Returns 0, -EINVAL or -ENOMEM. */
int report_aggregate(struct json_t *run);

/*
 * One document of the repeats of all runs, which must have the same knob, points and test. Rounds
 * are numbered on, start.merged_from lists what the parts were. Returns a new reference, or NULL
 * with a sentence in why.
 */
struct json_t *report_merge(const struct report_runs *runs, char *why, size_t why_len);

#endif
