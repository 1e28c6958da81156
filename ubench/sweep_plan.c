// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns the knobs' values and --repeat into an ordered list of runs. */
#include "sweep_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the value of one knob means for the point. */
static void apply_value(struct sweep_point *point, const struct sweep_knob *knob, const char *value)
{
	bool is_rate = knob->kind == SWEEP_KNOB_RATE || knob->kind == SWEEP_KNOB_SIGNAL;

	if ((knob->kind == SWEEP_KNOB_RATE || knob->kind == SWEEP_KNOB_DRIVER) &&
	    !strcmp(value, SWEEP_UNPATCHED))
		point->unpatched = true;
	else if (is_rate)
		point->rate = atol(value);
}

static void add_point(struct sweep_plan *plan, size_t index)
{
	struct sweep_point *point = &plan->points[plan->n_points++];
	const char *value;
	size_t k, len = 0;

	*point = (struct sweep_point){ 0 };
	/* The last knob's value is the lowest digit. */
	for (k = plan->n_knobs; k-- > 0;) {
		point->value[k] = index % plan->knobs[k].n_values;
		index /= plan->knobs[k].n_values;
	}
	for (k = 0; k < plan->n_knobs; k++) {
		value = plan->knobs[k].values[point->value[k]];
		if (k)
			point->label[len++] = '/';
		memcpy(point->label + len, value, strlen(value) + 1);
		len += strlen(value);
		apply_value(point, &plan->knobs[k], value);
	}
}

int sweep_plan_make(struct sweep_plan *plan, char *why, size_t why_len)
{
	const char *baseline;
	size_t k, i, n = 1;

	for (k = 0; k < plan->n_knobs; k++)
		n *= plan->knobs[k].n_values;
	if (n > SWEEP_MAX_POINTS) {
		snprintf(why, why_len, "%zu points are more than %d", n, SWEEP_MAX_POINTS);
		return -EINVAL;
	}
	plan->n_points = 0;
	for (i = 0; i < n; i++)
		add_point(plan, i);
	baseline = sweep_plan_baseline(plan);
	plan->baseline = 0;
	for (i = n; baseline && i-- > 0;)
		if (!strcmp(plan->knobs[0].values[plan->points[i].value[0]], baseline))
			plan->baseline = i;
	return 0;
}

static bool has_value(const struct sweep_knob *knob, const char *value)
{
	size_t i;

	for (i = 0; i < knob->n_values; i++)
		if (!strcmp(knob->values[i], value))
			return true;
	return false;
}

const char *sweep_plan_baseline(const struct sweep_plan *plan)
{
	const struct sweep_knob *knob = &plan->knobs[0];

	if (has_value(knob, SWEEP_UNPATCHED))
		return SWEEP_UNPATCHED;
	if (knob->kind == SWEEP_KNOB_RATE || knob->kind == SWEEP_KNOB_SIGNAL)
		return has_value(knob, "1") ? "1" : NULL;
	return knob->values[0];
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

bool sweep_plan_has(const struct sweep_plan *plan, enum sweep_knob_kind kind)
{
	size_t k;

	for (k = 0; k < plan->n_knobs; k++)
		if (plan->knobs[k].kind == kind)
			return true;
	return false;
}

size_t sweep_plan_round_steps(const struct sweep_plan *plan)
{
	return plan->n_points + plan->has_drift_checks;
}

size_t sweep_plan_steps(const struct sweep_plan *plan)
{
	return sweep_plan_round_steps(plan) * plan->repeats + plan->has_drift_checks;
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
	struct sweep_step now = { .point = plan->baseline, .is_check = true };
	size_t order[SWEEP_MAX_POINTS], place;

	if (plan->has_drift_checks && step-- == 0)
		return now;
	now.round = (unsigned int)(step / sweep_plan_round_steps(plan)) + 1;
	place = step % sweep_plan_round_steps(plan);
	if (place == plan->n_points)
		return now;
	now.is_check = false;
	now.point = place;
	if (plan->shuffled) {
		shuffle(order, plan->n_points, plan->seed, now.round);
		now.point = order[place];
	}
	return now;
}
