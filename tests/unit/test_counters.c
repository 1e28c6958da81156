// SPDX-License-Identifier: GPL-2.0-or-later
/* Device counters: found through the interface, differences only of what both readings know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/counters.c"
#include "../../ubench/knob.c"

static char root[] = "/tmp/test_counters.XXXXXX";

/* Runs a command that finds the tree as $ROOT. */
static void shell(const char *command)
{
	setenv("ROOT", root, 1);
	assert_int_equal(system(command), 0);
}

static void test_counters_are_those_of_the_interfaces_port(void **state)
{
	struct counters now;
	struct knob knob;

	(void)state;
	assert_non_null(mkdtemp(root));
	shell("mkdir -p $ROOT/class/net/ib7/device/infiniband/hca5/ports/2/hw_counters");
	shell("cd $ROOT/class/net/ib7 && echo 1 >dev_port && cd device/infiniband/hca5/ports/2/hw_counters"
	      " && echo 18446744073709551615 >tx_wrs && echo 7 >tx_cqes");
	assert_int_equal(knob_open(&knob, root, "ib7"), 0);
	counters_read_settled(&knob, &now);
	assert_string_equal(now.source, "hw_counters of hca5 port 2");
	assert_true(now.known[COUNTER_TX_WRS] && now.value[COUNTER_TX_WRS] == UINT64_MAX);
	assert_true(now.known[COUNTER_TX_CQES] && now.value[COUNTER_TX_CQES] == 7);
	assert_false(now.known[COUNTER_TX_EVENTS]);
	shell("rm -rf $ROOT");
}

static void test_difference_needs_both_readings_of_one_source(void **state)
{
	struct counters before = { .source = "a", .known = { true, true }, .value = { 10, 5 } };
	struct counters after = { .source = "a", .known = { true, true, true }, .value = { 15, 4, 9 } };
	struct counters delta = counters_since(&before, &after);

	(void)state;
	assert_true(delta.known[0] && delta.value[0] == 5);
	assert_false(delta.known[1]);	/* went backwards: the driver was loaded anew */
	assert_false(delta.known[2]);
	after.source[0] = 'b';
	delta = counters_since(&before, &after);
	assert_false(delta.known[0]);
}

static void test_names_of_driver_statistics(void **state)
{
	(void)state;
	assert_int_equal(statistic_id("tx_signaled"), COUNTER_TX_WRS);
	assert_int_equal(statistic_id("tx_unsignaled"), COUNTER_TX_WRS);
	assert_int_equal(statistic_id("tx_cqe"), COUNTER_TX_CQES);
	assert_int_equal(statistic_id("tx_doorbell"), COUNTER_TX_DOORBELLS);
	assert_int_equal(statistic_id("tx_packets"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters_are_those_of_the_interfaces_port),
		cmocka_unit_test(test_difference_needs_both_readings_of_one_source),
		cmocka_unit_test(test_names_of_driver_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
