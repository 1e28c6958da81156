// SPDX-License-Identifier: GPL-2.0-or-later
/* Intervals and statements against data whose truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/sweep_inference.c"
#include "../../ubench/sweep_stats.c"

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

static void test_mean_interval_is_students(void **state)
{
	double values[] = { 9, NAN, 10, 11 };
	struct inference_interval mean = inference_mean(values, 4);

	(void)state;
	/* sd 1, n 3: 4.302653 / sqrt(3) */
	assert_true(near(mean.estimate, 10, 1e-12));
	assert_true(near(mean.high - 10, 2.484138, 1e-5));
	assert_true(near(10 - mean.low, 2.484138, 1e-5));
}

static void test_one_value_has_no_interval(void **state)
{
	double value = 7, base = 5;

	(void)state;
	assert_true(inference_mean(&value, 1).estimate == 7);
	assert_true(isnan(inference_mean(&value, 1).low));
	assert_true(near(inference_paired_ratio(&value, &base, 1).estimate, 1.4, 1e-12));
	assert_true(isnan(inference_paired_ratio(&value, &base, 1).p_value));
	assert_true(isnan(inference_mean(&value, 0).estimate));
}

static void test_pairing_takes_out_what_a_round_did_to_both(void **state)
{
	double base[] = { 100, 150, 60, 220 }, values[4];
	struct inference_interval ratio;
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		values[i] = base[i] * (i % 2 ? 1.201 : 1.199);
	ratio = inference_paired_ratio(values, base, 4);
	assert_true(near(ratio.estimate, 1.2, 1e-5));
	assert_true(ratio.low > 1.19 && ratio.high < 1.21);
	assert_true(ratio.p_value < 1e-4);
}

static void test_equal_repeats_are_certain(void **state)
{
	double base[] = { 100, 100 }, more[] = { 101, 101 };

	(void)state;
	assert_true(inference_paired_ratio(more, base, 2).p_value == 0);
	assert_true(inference_paired_ratio(base, base, 2).p_value == 1);
}

static void test_holm_adjusts_step_by_step(void **state)
{
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 };

	(void)state;
	inference_adjust(p, 5);
	assert_true(near(p[4], 0.02, 1e-12) && near(p[0], 0.03, 1e-12));
	assert_true(near(p[3], 0.06, 1e-12) && near(p[2], 0.06, 1e-12) && isnan(p[1]));
}

static void test_drift_is_the_change_over_the_whole_sweep(void **state)
{
	double falling[10], steady[10];
	struct inference_interval drift;
	int i;

	(void)state;
	for (i = 0; i < 10; i++) {
		falling[i] = 1.05 - 0.01 * i + (i % 2 ? 0.001 : -0.001);
		steady[i] = i % 2 ? 1.001 : 0.999;
	}
	drift = inference_drift(falling, 10);
	assert_true(near(drift.estimate, -0.1, 0.01) && drift.p_value < 0.001);
	assert_true(inference_drift(steady, 10).p_value > 0.05);
	assert_true(isnan(inference_drift(steady, 2).low));
}

static void test_outliers_need_distance_and_enough_repeats(void **state)
{
	double values[] = { 100, 101, 99, 100.5, 60 };
	bool flags[5];

	(void)state;
	inference_outliers(values, 5, flags);
	assert_true(flags[4] && !flags[0] && !flags[1] && !flags[2] && !flags[3]);
	inference_outliers(values + 1, 4, flags);
	assert_false(flags[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_interval_is_students),
		cmocka_unit_test(test_one_value_has_no_interval),
		cmocka_unit_test(test_pairing_takes_out_what_a_round_did_to_both),
		cmocka_unit_test(test_equal_repeats_are_certain),
		cmocka_unit_test(test_holm_adjusts_step_by_step),
		cmocka_unit_test(test_drift_is_the_change_over_the_whole_sweep),
		cmocka_unit_test(test_outliers_need_distance_and_enough_repeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
