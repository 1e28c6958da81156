// SPDX-License-Identifier: GPL-2.0-or-later
/* The record of an interface before a sweep: kept over a death, locked while a sweep lives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/knob_state.c"
#include "../../ubench/setting.c"

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

static void add_setting(struct knob_state *state, const char *name, const char *value)
{
	assert_int_equal(setting_parse(&state->settings[state->n_settings].what, name), 0);
	strcpy(state->settings[state->n_settings++].value, value);
}

static void test_settings_of_a_dead_sweep_are_kept_and_those_of_the_next_added(void **unused)
{
	struct knob_state first = sample(1), second = sample(16);
	bool adopted;
	int fd;

	(void)unused;
	add_setting(&first, "sysfs:tx_queue_len", "256");
	close(knob_state_record(dir, &first, &adopted));
	add_setting(&second, "ethtool:tx-usecs", "10");
	add_setting(&second, "sysfs:tx_queue_len", "9");
	fd = knob_state_record(dir, &second, &adopted);
	assert_true(fd >= 0 && adopted);
	assert_int_equal(second.n_settings, 2);
	assert_string_equal(second.settings[0].what.name, "tx_queue_len");
	assert_string_equal(second.settings[0].value, "256");
	assert_int_equal(second.settings[1].what.kind, SETTING_ETHTOOL);
	assert_string_equal(second.settings[1].value, "10");
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
		cmocka_unit_test(test_settings_of_a_dead_sweep_are_kept_and_those_of_the_next_added),
		cmocka_unit_test(test_second_sweep_of_an_interface_is_refused),
		cmocka_unit_test(test_torn_record_is_not_believed),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
