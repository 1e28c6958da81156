// SPDX-License-Identifier: GPL-2.0-or-later
/* What --knob takes: names, values, and what is refused with a line that helps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/setting.c"
#include "../../ubench/sweep_knob.c"

static char why[384];

static int parse(struct sweep_knob *knob, const char *text)
{
	return sweep_knob_parse(knob, text, why, sizeof(why));
}

static void test_each_kind_is_known_by_its_name(void **state)
{
	static const struct {
		const char *text;
		enum sweep_knob_kind kind;
		const char *name, *option;
	} known[] = {
		{ "tx_signal_rate=1,8", SWEEP_KNOB_RATE, "tx_signal_rate", NULL },
		{ "sysfs:tx_signal_rate=1,8", SWEEP_KNOB_RATE, "tx_signal_rate", NULL },
		{ "driver=unpatched,patched", SWEEP_KNOB_DRIVER, "driver", NULL },
		{ "signal-rate=1,8", SWEEP_KNOB_SIGNAL, "signal-rate", "--signal-rate" },
		{ "sysfs:tx_queue_len=1,8", SWEEP_KNOB_SETTING, "sysfs:tx_queue_len", NULL },
		{ "ethtool:tx-usecs=1,8", SWEEP_KNOB_SETTING, "ethtool:tx-usecs", NULL },
		{ "option:-m=1,8", SWEEP_KNOB_OPTION, "option:-m", "-m" },
		{ "global:--gso=1,8", SWEEP_KNOB_GLOBAL, "global:--gso", "--gso" },
	};
	struct sweep_knob knob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(parse(&knob, known[i].text), 0);
		assert_int_equal(knob.kind, known[i].kind);
		assert_string_equal(knob.name, known[i].name);
		assert_int_equal(knob.n_values, 2);
		if (known[i].option)
			assert_string_equal(sweep_knob_option(&knob), known[i].option);
		else
			assert_null(sweep_knob_option(&knob));
		assert_int_equal(sweep_knob_is_of_interface(&knob), !known[i].option);
	}
}

static void test_names_of_nothing_are_refused_with_those_there_are(void **state)
{
	static const char *const bad[] = { "", "rate", "ethtool:", "ethtool:speed", "sysfs:", "sysfs:/etc/passwd",
		"sysfs:../ib1/mtu", "sysfs:queues/../../x", "option:", "option:m", "option:-", "global:x" };
	struct sweep_knob knob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(&knob, bad[i]), -EINVAL);
		assert_non_null(strstr(why, "tx-usecs"));
	}
}

static void test_values_are_checked_by_the_kind_of_knob(void **state)
{
	static const char *const bad[] = { "tx_signal_rate=0", "tx_signal_rate=one", "signal-rate=unpatched",
		"driver=new", "ethtool:tx-usecs=-1", "ethtool:tx-usecs=4294967296", "ethtool:tx-usecs=5us",
		"sysfs:mode=", "sysfs:mode=a,,b", "option:-m=" };
	struct sweep_knob knob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(parse(&knob, bad[i]), -EINVAL);
	assert_int_equal(parse(&knob, "ethtool:tx-usecs=007,50"), 0);
	assert_string_equal(knob.values[0], "7");
	assert_int_equal(parse(&knob, "ethtool:tx-usecs=07,7"), -EINVAL);
	assert_string_equal(why, "ethtool:tx-usecs 7 is there twice");
}

static void test_setting_is_written_as_it_was_read(void **state)
{
	struct setting setting;
	char text[SETTING_NAME_MAX + 16];

	(void)state;
	assert_int_equal(setting_parse(&setting, "ethtool:ring-tx"), 0);
	assert_string_equal(setting_text(&setting, text, sizeof(text)), "ethtool:ring-tx");
	assert_int_equal(setting_parse(&setting, "sysfs:queues/tx-0/xps_cpus"), 0);
	assert_string_equal(setting_text(&setting, text, sizeof(text)), "sysfs:queues/tx-0/xps_cpus");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_is_known_by_its_name),
		cmocka_unit_test(test_names_of_nothing_are_refused_with_those_there_are),
		cmocka_unit_test(test_values_are_checked_by_the_kind_of_knob),
		cmocka_unit_test(test_setting_is_written_as_it_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
