/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep checks and prepares before its first run. */
#ifndef UBENCH_SWEEP_SETUP_H
#define UBENCH_SWEEP_SETUP_H

struct knob_state;
struct sweep;
struct sweep_options;

/*
 * Each of these returns -1 to go on, or the exit code after it has printed one line.
 */

/* Finds the interface and its knob, and may change it. */
int sweep_setup_knob(struct sweep *sweep);

/*
 * Makes the plan from the options. While the driver without the knob is loaded the upper limit is
 * not known; sweep_setup_rates() learns it.
 */
int sweep_setup_plan(struct sweep *sweep);

/* Creates the working directory of a new sweep. */
int sweep_setup_log(struct sweep *sweep);

/* Records in *before how the interface is and starts the guard that brings it back. */
int sweep_setup_guard(struct sweep *sweep, struct knob_state *before);

/* With the patched driver in place, checks every rate against its limit. */
int sweep_setup_rates(struct sweep *sweep);

/*
 * Reopens what a killed sweep left in options->resume: parses its own command line into *options,
 * and sets the plan, the log and the finished repeats. argv_kept owns the strings that *options
 * points to; free() it after the last use of *options.
 */
int sweep_setup_resume(struct sweep *sweep, struct sweep_options *options, char ***argv_kept);

#endif
