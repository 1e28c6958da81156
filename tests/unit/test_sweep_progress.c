// SPDX-License-Identifier: GPL-2.0-or-later
/* Time left, in words a person reads at a glance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/sweep_progress.c"

static void test_durations_have_two_units_at_most(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(sweep_progress_duration(0.4, text, sizeof(text)), "0 s");
	assert_string_equal(sweep_progress_duration(59.4, text, sizeof(text)), "59 s");
	assert_string_equal(sweep_progress_duration(59.6, text, sizeof(text)), "1 min 00 s");
	assert_string_equal(sweep_progress_duration(3599, text, sizeof(text)), "59 min 59 s");
	assert_string_equal(sweep_progress_duration(3905, text, sizeof(text)), "1 h 05 min");
}

static void test_time_left_needs_a_finished_run_and_something_left(void **state)
{
	struct sweep_progress progress = { .total = 4 };
	char text[64];

	(void)state;
	progress.started_s = now_s() - 20;
	progress.run_started_s = now_s();
	assert_string_equal(time_left(&progress, text, sizeof(text)), "");
	progress.timed = progress.done = 2;
	assert_string_equal(time_left(&progress, text, sizeof(text)), "; about 20 s left");
	progress.done = 4;
	assert_string_equal(time_left(&progress, text, sizeof(text)), "");
}

static void test_resumed_sweep_does_not_count_runs_of_the_dead_one(void **state)
{
	struct sweep_progress progress = { .total = 12, .done = 10, .timed = 1 };
	char text[64];

	(void)state;
	progress.started_s = now_s() - 5;
	progress.run_started_s = now_s();
	assert_string_equal(time_left(&progress, text, sizeof(text)), "; about 10 s left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations_have_two_units_at_most),
		cmocka_unit_test(test_time_left_needs_a_finished_run_and_something_left),
		cmocka_unit_test(test_resumed_sweep_does_not_count_runs_of_the_dead_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
