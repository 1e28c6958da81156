/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which points a sweep measures, and in which order. Pure. */
#ifndef UBENCH_SWEEP_PLAN_H
#define UBENCH_SWEEP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWEEP_UNPATCHED "unpatched"

enum { SWEEP_MAX_POINTS = 64, SWEEP_MAX_REPEATS = 10000 };

struct sweep_point {
	char label[24];		/* "unpatched" or the rate */
	bool unpatched;
	long rate;		/* 0 for the unpatched driver */
};

struct sweep_plan {
	struct sweep_point points[SWEEP_MAX_POINTS];
	size_t n_points;
	unsigned int repeats;
	unsigned int warmups;	/* runs of the first step before round 1 */
	bool shuffled;		/* each round in an order of its own, drawn from seed */
	uint32_t seed;
};

/* One run of the plan. */
struct sweep_step {
	size_t point;
	unsigned int round;	/* from 1 */
};

/*
 * Fills plan->points from a comma-separated list of rates and "unpatched"; rate_max as for
 * knob_parse_rate(). Returns 0, or -EINVAL with a message for the user in why.
 */
int sweep_plan_parse(struct sweep_plan *plan, const char *rates, long rate_max, char *why,
		     size_t why_len);

/* The first rate above rate_max (0: no limit), or 0 if there is none. */
long sweep_plan_rate_over(const struct sweep_plan *plan, long rate_max);

/* True if a point needs the driver without (with) the knob. */
bool sweep_plan_needs(const struct sweep_plan *plan, bool unpatched);

/* Number of runs of the whole plan. */
size_t sweep_plan_steps(const struct sweep_plan *plan);

/*
 * The step-th run (from 0). Repeats are interleaved: each round runs every point once, so that a
 * slow change of the host meets all points alike. Shuffled rounds also break what a fixed order
 * would do to the point that always comes next; the same seed gives the same order on any host.
 */
struct sweep_step sweep_plan_step(const struct sweep_plan *plan, size_t step);

#endif
