/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out the plan of a sweep, one run after the other. */
#ifndef UBENCH_SWEEP_RUN_H
#define UBENCH_SWEEP_RUN_H

#include <signal.h>

#include "knob.h"
#include "runlog.h"
#include "sweep_guard.h"
#include "sweep_plan.h"
#include "sweep_progress.h"

struct json_t;
struct sweep_options;

/* Everything a running sweep holds. */
struct sweep {
	const struct sweep_options *options;
	struct knob knob;
	struct sweep_plan plan;
	struct sweep_guard guard;
	struct runlog log;
	struct sweep_progress progress;
	struct json_t *run;		/* run.json so far */
	bool resumed;			/* the log held repeats of an earlier process */
	volatile sig_atomic_t *stop;	/* set by SIGINT, SIGTERM, SIGHUP */
};

/* Number of repeats that are finished and on disk. */
size_t sweep_run_finished(const struct sweep *sweep);

/*
 * Runs the warm-up and every step of the plan that is not finished, appending each finished repeat to
 * sweep->run and to the log.
 * Returns 0, -EINTR when stopped, -ECHILD when a run failed, or -EIO when host or disk did; for all
 * but -EINTR why holds one sentence.
 */
int sweep_run(struct sweep *sweep, char *why, size_t why_len);

/*
 * Loads the driver with (patched) or without the knob by the hook, if it is not the one there.
 * Returns 0, or -EIO with a sentence in why.
 */
int sweep_run_driver(struct sweep *sweep, bool patched, char *why, size_t why_len);

#endif
