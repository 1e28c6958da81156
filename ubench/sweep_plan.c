// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns --rates and --repeat into an ordered list of runs. */
#include "sweep_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"

static bool has_label(const struct sweep_plan *plan, const char *label)
{
	size_t i;

	for (i = 0; i < plan->n_points; i++)
		if (!strcmp(plan->points[i].label, label))
			return true;
	return false;
}

static int add_point(struct sweep_plan *plan, const char *text, long rate_max, char *why,
		     size_t why_len)
{
	struct sweep_point point = { .unpatched = !strcmp(text, SWEEP_UNPATCHED) };
	char range[48];

	if (!point.unpatched && knob_parse_rate(text, rate_max, &point.rate)) {
		snprintf(why, why_len, "bad rate '%s': allowed are %s and \"" SWEEP_UNPATCHED "\"",
			 text, knob_range_text(rate_max, range, sizeof(range)));
		return -EINVAL;
	}
	if (point.unpatched)
		strcpy(point.label, SWEEP_UNPATCHED);
	else
		snprintf(point.label, sizeof(point.label), "%ld", point.rate);
	if (has_label(plan, point.label)) {
		snprintf(why, why_len, "rate %s is there twice", point.label);
		return -EINVAL;
	}
	if (plan->n_points == SWEEP_MAX_POINTS) {
		snprintf(why, why_len, "more than %d rates", SWEEP_MAX_POINTS);
		return -EINVAL;
	}
	plan->points[plan->n_points++] = point;
	return 0;
}

int sweep_plan_parse(struct sweep_plan *plan, const char *rates, long rate_max, char *why,
		     size_t why_len)
{
	char *copy = strdup(rates), *next = copy, *text;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	plan->n_points = 0;
	while (!err && (text = strsep(&next, ",")))
		err = add_point(plan, text, rate_max, why, why_len);
	free(copy);
	return err;
}

long sweep_plan_rate_over(const struct sweep_plan *plan, long rate_max)
{
	size_t i;

	for (i = 0; rate_max && i < plan->n_points; i++)
		if (plan->points[i].rate > rate_max)
			return plan->points[i].rate;
	return 0;
}

bool sweep_plan_needs(const struct sweep_plan *plan, bool unpatched)
{
	size_t i;

	for (i = 0; i < plan->n_points; i++)
		if (plan->points[i].unpatched == unpatched)
			return true;
	return false;
}

size_t sweep_plan_steps(const struct sweep_plan *plan)
{
	return plan->n_points * plan->repeats;
}

/* SplitMix64: a small generator that is the same everywhere. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Fisher-Yates; with 64 bits and at most 64 points the bias of the remainder is below 2^-57. */
static void shuffle(size_t *order, size_t n, uint32_t seed, unsigned int round)
{
	uint64_t state = (uint64_t)seed << 32 | round;
	size_t i, j, kept;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		j = next_random(&state) % i;
		kept = order[i - 1];
		order[i - 1] = order[j];
		order[j] = kept;
	}
}

struct sweep_step sweep_plan_step(const struct sweep_plan *plan, size_t step)
{
	struct sweep_step now = {
		.point = step % plan->n_points,
		.round = (unsigned int)(step / plan->n_points) + 1,
	};
	size_t order[SWEEP_MAX_POINTS];

	if (plan->shuffled) {
		shuffle(order, plan->n_points, plan->seed, now.round);
		now.point = order[now.point];
	}
	return now;
}
