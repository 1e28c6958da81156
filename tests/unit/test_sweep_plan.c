// SPDX-License-Identifier: GPL-2.0-or-later
/* Rates become points, points and rounds become an interleaved order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/setting.c"
#include "../../ubench/sweep_knob.c"
#include "../../ubench/sweep_plan.c"

static char why[384];

/* The plan of one list of tx_signal_rate. */
static int plan_rates(struct sweep_plan *plan, const char *rates, long rate_max)
{
	if (sweep_knob_parse(&plan->knobs[0], KNOB_NAME, why, sizeof(why)) ||
	    sweep_knob_take_values(&plan->knobs[0], rates, rate_max, why, sizeof(why)))
		return -EINVAL;
	plan->n_knobs = 1;
	return sweep_plan_make(plan, why, sizeof(why));
}

static void plan_grid(struct sweep_plan *plan, const char *first, const char *second)
{
	assert_int_equal(sweep_knob_parse(&plan->knobs[0], first, why, sizeof(why)), 0);
	assert_int_equal(sweep_knob_parse(&plan->knobs[1], second, why, sizeof(why)), 0);
	plan->n_knobs = 2;
	assert_int_equal(sweep_plan_make(plan, why, sizeof(why)), 0);
}

static void test_usual_list_is_taken_as_it_stands(void **state)
{
	struct sweep_plan plan = { .repeats = 3 };

	(void)state;
	assert_int_equal(plan_rates(&plan, "unpatched,1,4,8,16,32", 32), 0);
	assert_int_equal(plan.n_points, 6);
	assert_true(plan.points[0].unpatched);
	assert_int_equal(plan.points[5].rate, 32);
	assert_string_equal(plan.points[5].label, "32");
	assert_true(sweep_plan_needs(&plan, true));
	assert_true(sweep_plan_needs(&plan, false));
	assert_int_equal(sweep_plan_steps(&plan), 18);
}

static void test_bad_lists_are_refused_with_the_range(void **state)
{
	static const char *const bad[] = { "", "1,,4", "0", "-1", "33", "4x", "one", "1,4,33", "1 ,4",
		"Unpatched" };
	struct sweep_plan plan = { .repeats = 1 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(plan_rates(&plan, bad[i], 32), -EINVAL);
		assert_non_null(strstr(why, "1..32"));
	}
}

static void test_rate_named_twice_is_refused(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	assert_int_equal(plan_rates(&plan, "4,04", 32), -EINVAL);
	assert_string_equal(why, "rate 4 is there twice");
}

static void test_each_round_runs_every_point_once(void **state)
{
	struct sweep_plan plan = { .repeats = 3 };
	unsigned int seen[3][4] = { 0 };
	struct sweep_step step;
	size_t i;

	(void)state;
	assert_int_equal(plan_rates(&plan, "1,4,8,16", 32), 0);
	for (i = 0; i < sweep_plan_steps(&plan); i++) {
		step = sweep_plan_step(&plan, i);
		assert_int_equal(step.round, i / 4 + 1);
		seen[step.round - 1][step.point]++;
	}
	for (i = 0; i < 12; i++)
		assert_int_equal(seen[i / 4][i % 4], 1);
}

static void test_shuffled_rounds_are_whole_differ_and_repeat_from_their_seed(void **state)
{
	struct sweep_plan plan = { .repeats = 50, .shuffled = true, .seed = 7 }, other;
	size_t i, first_is[6] = { 0 }, same = 0, seen;
	struct sweep_step step;

	(void)state;
	assert_int_equal(plan_rates(&plan, "unpatched,1,4,8,16,32", 32), 0);
	other = plan;
	other.seed = 8;
	for (i = 0, seen = 0; i < sweep_plan_steps(&plan); i++) {
		step = sweep_plan_step(&plan, i);
		seen |= 1u << step.point;
		if (i % 6 == 0)
			first_is[step.point]++;
		if (i % 6 == 5) {
			assert_int_equal(seen, 0x3f);
			seen = 0;
		}
		same += step.point == sweep_plan_step(&other, i).point;
	}
	for (i = 0; i < 6; i++)
		assert_in_range(first_is[i], 1, 20);	/* 8.3 expected */
	assert_in_range(same, 20, 90);			/* 50 expected */
	assert_int_equal(sweep_plan_step(&plan, 0).point, 4);	/* for ever */
}

static void test_rate_over_a_limit_learnt_later_is_found(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	assert_int_equal(plan_rates(&plan, "unpatched,1,64", 0), 0);
	assert_int_equal(sweep_plan_rate_over(&plan, 32), 64);
	assert_int_equal(sweep_plan_rate_over(&plan, 64), 0);
	assert_int_equal(sweep_plan_rate_over(&plan, 0), 0);
}

static void test_two_knobs_give_every_combination_the_last_one_fastest(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	plan_grid(&plan, "tx_signal_rate=unpatched,1,8", "option:-m=100,1400");
	assert_int_equal(plan.n_points, 6);
	assert_string_equal(plan.points[0].label, "unpatched/100");
	assert_string_equal(plan.points[1].label, "unpatched/1400");
	assert_string_equal(plan.points[5].label, "8/1400");
	assert_true(plan.points[1].unpatched);
	assert_int_equal(plan.points[5].rate, 8);
	assert_string_equal(sweep_plan_baseline(&plan), SWEEP_UNPATCHED);
	assert_int_equal(plan.baseline, 0);
}

static void test_baseline_of_other_knobs_is_their_first_value(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	plan_grid(&plan, "ethtool:tx-usecs=50,0", "driver=unpatched,patched");
	assert_string_equal(sweep_plan_baseline(&plan), "50");
	assert_true(plan.points[0].unpatched);
	assert_false(plan.points[1].unpatched);
	assert_int_equal(plan_rates(&plan, "4,8", 32), 0);
	assert_null(sweep_plan_baseline(&plan));
	assert_int_equal(plan_rates(&plan, "4,1", 32), 0);
	assert_string_equal(sweep_plan_baseline(&plan), "1");
	assert_int_equal(plan.baseline, 1);
}

static void test_too_many_combinations_are_refused(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	sweep_knob_parse(&plan.knobs[0], "option:-m=1,2,3,4,5,6,7,8,9", why, sizeof(why));
	sweep_knob_parse(&plan.knobs[1], "option:-s=1,2,3,4,5,6,7,8", why, sizeof(why));
	plan.n_knobs = 2;
	assert_int_equal(sweep_plan_make(&plan, why, sizeof(why)), -EINVAL);
	assert_string_equal(why, "72 points are more than 64");
}

static void test_drift_checks_run_the_baseline_around_every_round(void **state)
{
	struct sweep_plan plan = { .repeats = 2, .has_drift_checks = true };
	static const int checks[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	struct sweep_step step;
	size_t i;

	(void)state;
	assert_int_equal(plan_rates(&plan, "4,1,8", 32), 0);
	assert_int_equal(sweep_plan_steps(&plan), 9);
	for (i = 0; i < 9; i++) {
		step = sweep_plan_step(&plan, i);
		assert_int_equal(step.is_check, checks[i]);
		assert_int_equal(step.round, i ? (i - 1) / 4 + 1 : 0);
		if (step.is_check)
			assert_int_equal(step.point, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual_list_is_taken_as_it_stands),
		cmocka_unit_test(test_bad_lists_are_refused_with_the_range),
		cmocka_unit_test(test_rate_named_twice_is_refused),
		cmocka_unit_test(test_each_round_runs_every_point_once),
		cmocka_unit_test(test_shuffled_rounds_are_whole_differ_and_repeat_from_their_seed),
		cmocka_unit_test(test_rate_over_a_limit_learnt_later_is_found),
		cmocka_unit_test(test_two_knobs_give_every_combination_the_last_one_fastest),
		cmocka_unit_test(test_baseline_of_other_knobs_is_their_first_value),
		cmocka_unit_test(test_too_many_combinations_are_refused),
		cmocka_unit_test(test_drift_checks_run_the_baseline_around_every_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
