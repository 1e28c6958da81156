// SPDX-License-Identifier: GPL-2.0-or-later
/* Rates become points, points and rounds become an interleaved order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/sweep_plan.c"

static char why[160];

static void test_usual_list_is_taken_as_it_stands(void **state)
{
	struct sweep_plan plan = { .repeats = 3 };

	(void)state;
	assert_int_equal(sweep_plan_parse(&plan, "unpatched,1,4,8,16,32", 32, why, sizeof(why)), 0);
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
		assert_int_equal(sweep_plan_parse(&plan, bad[i], 32, why, sizeof(why)), -EINVAL);
		assert_non_null(strstr(why, "1..32"));
	}
}

static void test_rate_named_twice_is_refused(void **state)
{
	struct sweep_plan plan = { .repeats = 1 };

	(void)state;
	assert_int_equal(sweep_plan_parse(&plan, "4,04", 32, why, sizeof(why)), -EINVAL);
	assert_string_equal(why, "rate 4 is there twice");
}

static void test_each_round_runs_every_point_once(void **state)
{
	struct sweep_plan plan = { .repeats = 3 };
	unsigned int seen[3][4] = { 0 };
	struct sweep_step step;
	size_t i;

	(void)state;
	assert_int_equal(sweep_plan_parse(&plan, "1,4,8,16", 32, why, sizeof(why)), 0);
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
	assert_int_equal(sweep_plan_parse(&plan, "unpatched,1,4,8,16,32", 32, why, sizeof(why)), 0);
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
	assert_int_equal(sweep_plan_parse(&plan, "unpatched,1,64", 0, why, sizeof(why)), 0);
	assert_int_equal(sweep_plan_rate_over(&plan, 32), 64);
	assert_int_equal(sweep_plan_rate_over(&plan, 64), 0);
	assert_int_equal(sweep_plan_rate_over(&plan, 0), 0);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
