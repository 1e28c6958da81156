/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells on stderr what a sweep runs and how much is left. */
#ifndef UBENCH_SWEEP_PROGRESS_H
#define UBENCH_SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sweep_progress {
	size_t done;		/* finished runs, those of a resumed sweep included */
	size_t total;
	size_t timed;		/* runs finished by this process */
	double started_s;	/* monotonic clock */
	double run_started_s;
	bool live;		/* stderr is a terminal: one line, redrawn */
	char label[96];		/* the run under way */
};

void sweep_progress_init(struct sweep_progress *progress, size_t done, size_t total);

/* A run begins. */
void sweep_progress_begin(struct sweep_progress *progress, const char *label);

/* Redraws the live line; nothing in a log. */
void sweep_progress_tick(void *progress);

/* The run is over; values are its metrics (METRICS of them, NAN for not known). */
void sweep_progress_end(struct sweep_progress *progress, const double *values);

/* Takes the live line away, or ends a line begun in a log, before an error is printed. */
void sweep_progress_clear(struct sweep_progress *progress);

/* "1 h 05 min", "3 min 20 s", "12 s". Pure; returns buf. */
const char *sweep_progress_duration(double seconds, char *buf, size_t buf_len);

#endif
