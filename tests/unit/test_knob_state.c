// SPDX-License-Identifier: GPL-2.0-or-later
/* The record of an interface before a sweep: kept over a death, locked while a sweep lives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob_state.c"

static char dir[] = "/tmp/test_knob_state.XXXXXX";

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

static struct knob_state sample(long rate)
{
	struct knob_state state = { .iface = "ib0", .patched = true, .rate = rate };

	strcpy(state.hook, "hook --with=equals");
	return state;
}

static void test_record_of_a_dead_sweep_wins_over_the_value_it_left(void **unused)
{
	struct knob_state first = sample(1), second = sample(16);
	bool adopted;
	int fd;

	(void)unused;
	fd = knob_state_record(dir, &first, &adopted);
	assert_true(fd >= 0);
	assert_false(adopted);
	close(fd);	/* as a dying process does */
	strcpy(second.hook, "other hook");
	fd = knob_state_record(dir, &second, &adopted);
	assert_true(fd >= 0);
	assert_true(adopted);
	assert_int_equal(second.rate, 1);
	assert_true(second.patched);
	assert_string_equal(second.hook, "hook --with=equals");
	assert_int_equal(knob_state_forget(dir, "ib0"), 0);
	close(fd);
}

static void test_second_sweep_of_an_interface_is_refused(void **unused)
{
	struct knob_state first = sample(1), second = sample(2);
	bool adopted;
	int fd = knob_state_record(dir, &first, &adopted);

	(void)unused;
	assert_true(fd >= 0);
	assert_int_equal(knob_state_record(dir, &second, &adopted), -EBUSY);
	assert_int_equal(knob_state_forget(dir, "ib0"), 0);
	close(fd);
}

static void test_torn_record_is_not_believed(void **unused)
{
	struct knob_state state = sample(8);
	char path[128];
	FILE *file;
	bool adopted;
	int fd;

	(void)unused;
	snprintf(path, sizeof(path), "%s/ib0.state", dir);
	file = fopen(path, "w");
	fputs("iface=ib0\nrate=3", file);
	fclose(file);
	fd = knob_state_record(dir, &state, &adopted);
	assert_true(fd >= 0);
	assert_false(adopted);
	assert_int_equal(state.rate, 8);
	assert_int_equal(knob_state_forget(dir, "ib0"), 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record_of_a_dead_sweep_wins_over_the_value_it_left),
		cmocka_unit_test(test_second_sweep_of_an_interface_is_refused),
		cmocka_unit_test(test_torn_record_is_not_believed),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
