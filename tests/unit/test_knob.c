// SPDX-License-Identifier: GPL-2.0-or-later
/* The rule for tx_signal_rate: what is a rate, where its limit comes from, what a write does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"

#include <sys/stat.h>

static char root[] = "/tmp/test_knob.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void drop(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	unlink(path);
}

static int make_tree(void **state)
{
	static const char *const dirs[] = { "class", "class/net", "class/net/ib0", "module",
		"module/ib_ipoib", "module/ib_ipoib/parameters" };
	char path[256];
	size_t i;

	(void)state;
	if (!mkdtemp(root))
		return -1;
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, dirs[i]);
		mkdir(path, 0755);
	}
	return 0;
}

static int remove_tree(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_only_whole_decimal_numbers_are_rates(void **state)
{
	static const char *const bad[] = { "", " 4", "4 ", "4x", "x", "+4", "0x10", "1.5", "4\n",
		"--1", "1e1" };
	long rate = -7;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(knob_parse_rate(bad[i], 32, &rate), -EINVAL);
	assert_int_equal(rate, -7);
	assert_int_equal(knob_parse_rate("08", 32, &rate), 0);
	assert_int_equal(rate, 8);
}

static void test_rates_outside_the_range_are_refused(void **state)
{
	static const char *const bad[] = { "0", "-1", "33", "99999999999999999999" };
	long rate = -7;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(knob_parse_rate(bad[i], 32, &rate), -ERANGE);
	assert_int_equal(rate, -7);
	assert_int_equal(knob_parse_rate("32", 32, &rate), 0);
	assert_int_equal(knob_parse_rate("33", 0, &rate), 0);
	assert_int_equal(rate, 33);
}

static void test_limit_is_told_by_the_driver_or_a_quarter_of_the_ring(void **state)
{
	struct knob knob;
	char text[48];

	(void)state;
	assert_int_equal(knob_open(&knob, root, "ib0"), 0);
	assert_int_equal(knob_rate_max(&knob), 0);
	assert_string_equal(knob_range_text(0, text, sizeof(text)), "1 and above");
	put("module/ib_ipoib/parameters/send_queue_size", "128\n");
	assert_int_equal(knob_rate_max(&knob), 32);
	put("class/net/ib0/tx_signal_rate_max", "16\n");
	assert_int_equal(knob_rate_max(&knob), 16);
	assert_string_equal(knob_range_text(16, text, sizeof(text)), "1..16");
}

static void test_interface_names_are_checked(void **state)
{
	struct knob knob;

	(void)state;
	assert_int_equal(knob_open(&knob, root, "ib9"), -ENODEV);
	assert_int_equal(knob_open(&knob, root, ""), -EINVAL);
	assert_int_equal(knob_open(&knob, root, ".."), -EINVAL);
	assert_int_equal(knob_open(&knob, root, "a/b"), -EINVAL);
	assert_int_equal(knob_open(&knob, root, "sixteen-letters-"), -EINVAL);
}

static void test_write_reads_back_and_read_refuses_other_text(void **state)
{
	struct knob knob;
	long rate = 0;

	(void)state;
	assert_int_equal(knob_open(&knob, root, "ib0"), 0);
	assert_false(knob_present(&knob));
	assert_int_equal(knob_read(&knob, &rate), -ENOENT);
	put("class/net/ib0/tx_signal_rate", "128\n");
	assert_true(knob_present(&knob));
	assert_int_equal(knob_write(&knob, 4), 0);
	assert_int_equal(knob_read(&knob, &rate), 0);
	assert_int_equal(rate, 4);
	put("class/net/ib0/tx_signal_rate", "off\n");
	assert_int_equal(knob_read(&knob, &rate), -EBADMSG);
	drop("class/net/ib0/tx_signal_rate");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_whole_decimal_numbers_are_rates),
		cmocka_unit_test(test_rates_outside_the_range_are_refused),
		cmocka_unit_test(test_limit_is_told_by_the_driver_or_a_quarter_of_the_ring),
		cmocka_unit_test(test_interface_names_are_checked),
		cmocka_unit_test(test_write_reads_back_and_read_refuses_other_text),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
