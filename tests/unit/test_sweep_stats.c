// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics over repeats, and what they make of missing values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/sweep_stats.c"

static void test_median_takes_the_middle_and_leaves_the_order(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

	(void)state;
	assert_true(sweep_stats_median(odd, 3) == 2);
	assert_true(sweep_stats_median(even, 4) == 2.5);
	assert_true(odd[0] == 3 && odd[2] == 2);
}

static void test_unknown_values_do_not_count(void **state)
{
	double some[] = { NAN, 5, NAN, 7, 6 }, none[] = { NAN, NAN };

	(void)state;
	assert_true(sweep_stats_median(some, 5) == 6);
	assert_true(isnan(sweep_stats_median(none, 2)));
	assert_true(isnan(sweep_stats_median(none, 0)));
	assert_int_equal(sweep_stats_median_index(some, 5), 4);
	assert_int_equal(sweep_stats_median_index(none, 2), 2);
}

static void test_median_index_is_the_lower_of_two(void **state)
{
	double even[] = { 40, 10, 30, 20 };

	(void)state;
	assert_int_equal(sweep_stats_median_index(even, 4), 3);
}

static void test_spread_is_the_range_in_percent_of_the_median(void **state)
{
	double values[] = { 95, 100, 110 };

	(void)state;
	assert_true(fabs(sweep_stats_spread_percent(values, 3) - 15) < 1e-12);
	assert_true(isnan(sweep_stats_spread_percent(values, 1)));
}

static void test_ratio_to_nothing_is_not_known(void **state)
{
	(void)state;
	assert_true(sweep_stats_ratio(3, 2) == 1.5);
	assert_true(isnan(sweep_stats_ratio(3, 0)));
	assert_true(isnan(sweep_stats_ratio(NAN, 2)));
	assert_true(isnan(sweep_stats_ratio(2, NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_takes_the_middle_and_leaves_the_order),
		cmocka_unit_test(test_unknown_values_do_not_count),
		cmocka_unit_test(test_median_index_is_the_lower_of_two),
		cmocka_unit_test(test_spread_is_the_range_in_percent_of_the_median),
		cmocka_unit_test(test_ratio_to_nothing_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
