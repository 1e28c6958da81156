// SPDX-License-Identifier: GPL-2.0-or-later
/* One-way delays: as they are with one clock, above the least with two, evenly sampled when there are many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/delay.c"
#include "../../ubench/hist.c"

static void test_one_clock_gives_the_delay_itself(void **state)
{
	struct delay d = { 0 };
	struct result_delay r;

	(void)state;
	delay_record(&d, 5000);
	delay_record(&d, 6000);
	r = delay_result(&d, 1);
	assert_true(r.is_known && r.is_same_clock);
	assert_int_equal(r.count, 2);
	assert_int_equal(r.max_ns, 6000);
	assert_in_range(r.p50_ns, 5000, 5400);
	delay_free(&d);
}

static void test_two_clocks_give_the_excess_over_the_least(void **state)
{
	struct delay d = { 0 };
	struct result_delay r;

	(void)state;
	delay_record(&d, -700000);
	delay_record(&d, -900000);
	r = delay_result(&d, 0);
	assert_true(r.is_known && !r.is_same_clock);
	assert_int_equal(r.max_ns, 200000);
	assert_int_equal(r.p50_ns, 0);
	delay_free(&d);
}

static void test_many_packets_are_sampled_over_the_whole_time(void **state)
{
	const int64_t n = 40 * DELAY_SAMPLES;
	struct delay d = { 0 };
	struct result_delay r;
	int64_t i;

	(void)state;
	for (i = 0; i < n; i++)
		delay_record(&d, i);
	assert_true(d.n < DELAY_SAMPLES);
	r = delay_result(&d, 1);
	assert_int_equal(r.count, n);
	assert_int_equal(r.max_ns, n - 1);
	assert_in_range(r.p50_ns, n * 45 / 100, n * 55 / 100);
	assert_in_range(r.p90_ns, n * 84 / 100, n * 96 / 100);
	delay_free(&d);
}

static void test_nothing_recorded_is_not_known(void **state)
{
	struct delay d = { 0 };

	(void)state;
	assert_false(delay_result(&d, 1).is_known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_clock_gives_the_delay_itself),
		cmocka_unit_test(test_two_clocks_give_the_excess_over_the_least),
		cmocka_unit_test(test_many_packets_are_sampled_over_the_whole_time),
		cmocka_unit_test(test_nothing_recorded_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
