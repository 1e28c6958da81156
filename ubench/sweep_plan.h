/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which points a sweep measures, and in which order. Pure. */
#ifndef UBENCH_SWEEP_PLAN_H
#define UBENCH_SWEEP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sweep_knob.h"

enum { SWEEP_MAX_POINTS = 64, SWEEP_MAX_REPEATS = 10000 };

/* One combination of the knobs' values. */
struct sweep_point {
	char label[2 * SETTING_VALUE_MAX];	/* the value, or both with "/" between them */
	size_t value[SWEEP_MAX_KNOBS];		/* index into the values of each knob */
	bool unpatched;		/* needs the driver without tx_signal_rate */
	long rate;		/* of tx_signal_rate or signal-rate; 0: the point says none */
};

struct sweep_plan {
	struct sweep_knob knobs[SWEEP_MAX_KNOBS];
	size_t n_knobs;
	struct sweep_point points[SWEEP_MAX_POINTS];
	size_t n_points;
	size_t baseline;	/* index of the point that drift checks repeat */
	bool has_drift_checks;
	unsigned int repeats;
	unsigned int warmups;	/* runs of the first step before round 1 */
	bool shuffled;		/* each round in an order of its own, drawn from seed */
	uint32_t seed;
};

/* One run of the plan. */
struct sweep_step {
	size_t point;
	unsigned int round;	/* from 1; 0 for what comes before the first */
	bool is_check;		/* the baseline once more, to see whether the host drifts */
};

/*
 * Fills plan->points with all combinations of the knobs' values, the values of the last knob changing
 * fastest. Returns 0, or -EINVAL with a message for the user in why.
 */
int sweep_plan_make(struct sweep_plan *plan, char *why, size_t why_len);

/*
 * The value of the first knob that the others are compared with: "unpatched", else "1" for rates, else
 * the first of the list; NULL for rates without either.
 */
const char *sweep_plan_baseline(const struct sweep_plan *plan);

/* The first rate above rate_max (0: no limit), or 0 if there is none. */
long sweep_plan_rate_over(const struct sweep_plan *plan, long rate_max);

/* True if a point needs the driver without (with) the knob. */
bool sweep_plan_needs(const struct sweep_plan *plan, bool unpatched);

/* True if a knob of that kind is varied. */
bool sweep_plan_has(const struct sweep_plan *plan, enum sweep_knob_kind kind);

/* Number of runs of the whole plan, drift checks included. */
size_t sweep_plan_steps(const struct sweep_plan *plan);

/* Runs that one more round takes. */
size_t sweep_plan_round_steps(const struct sweep_plan *plan);

/*
 * The step-th run (from 0). Repeats are interleaved: each round runs every point once, so that a
 * slow change of the host meets all points alike. Shuffled rounds also break what a fixed order
 * would do to the point that always comes next; the same seed gives the same order on any host.
 * With drift checks the baseline runs once more before the first round and after each round.
 */
struct sweep_step sweep_plan_step(const struct sweep_plan *plan, size_t step);

#endif
