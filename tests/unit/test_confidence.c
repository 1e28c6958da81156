// SPDX-License-Identifier: GPL-2.0-or-later
/* Confidence intervals against figures worked out by hand from a t table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/confidence.c"

static void test_width_is_students(void **state)
{
	/* mean 100, s = sqrt(10/4); t(0.975, 4) = 2.776445 */
	const double values[] = { 98, 99, 100, 101, 102 };
	double width = confidence_width_percent(values, 5, 95);

	(void)state;
	assert_true(fabs(width - 2 * 2.776445 * sqrt(2.5) / sqrt(5)) < 1e-4);
}

static void test_equal_values_have_no_width(void **state)
{
	const double values[] = { 7, 7, 7 };

	(void)state;
	assert_true(confidence_width_percent(values, 3, 99) == 0);
}

static void test_too_few_values_or_none_but_zero_have_no_interval(void **state)
{
	const double values[] = { 0, 0, 0 };

	(void)state;
	assert_true(isnan(confidence_width_percent(values, 1, 95)));
	assert_true(isnan(confidence_width_percent(values, 3, 95)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_width_is_students),
		cmocka_unit_test(test_equal_values_have_no_width),
		cmocka_unit_test(test_too_few_values_or_none_but_zero_have_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
