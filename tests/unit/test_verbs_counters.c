// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of a device: differences, and what they say about lost packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_counters.c"

const char *verbs_device_name(const struct verbs_device *d)
{
	(void)d;
	return "none";
}

static void test_only_counters_known_before_and_after_count(void **state)
{
	json_t *before = json_pack("{s:i, s:i, s:i}", "a", 5, "b", 7, "wraps", 9);
	json_t *after = json_pack("{s:i, s:i, s:i, s:i}", "a", 8, "b", 7, "wraps", 1, "new", 4);
	json_t *since = verbs_counters_since(before, after);
	json_t *want = json_pack("{s:i, s:i}", "a", 3, "b", 0);

	(void)state;
	assert_true(json_equal(since, want));
	json_decref(before);
	json_decref(after);
	json_decref(since);
	json_decref(want);
}

static void check_drops(json_t *since, uint64_t completions, uint64_t no_receive_wr,
			uint64_t wrong_qkey, const char *source)
{
	struct verbs_drops drops = verbs_counters_drops(since, completions);

	assert_true(drops.no_receive_wr == no_receive_wr);
	assert_true(drops.wrong_qkey == wrong_qkey);
	assert_string_equal(drops.source, source);
	json_decref(since);
}

static void test_drop_counter_of_the_device_comes_first(void **state)
{
	(void)state;
	check_drops(json_pack("{s:i, s:i}", "out_of_buffer", 12, "rcvd_pkts", 100), 10, 12, 0,
		    "out_of_buffer");
	check_drops(json_pack("{s:i}", "drop_no_receive_wr", 3), 10, 3, 0, "drop_no_receive_wr");
}

static void test_arrivals_without_completion_found_no_request(void **state)
{
	(void)state;
	check_drops(json_pack("{s:i}", "rcvd_pkts", 100), 90, 10, 0, "rcvd_pkts - completions");
	check_drops(json_pack("{s:i}", "rcvd_pkts", 80), 90, 0, 0, "rcvd_pkts - completions");
}

static void test_device_that_counts_nothing_explains_nothing(void **state)
{
	(void)state;
	check_drops(json_object(), 90, 0, 0, "");
	check_drops(json_pack("{s:i}", "qkey_violations", 6), 90, 0, 6, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_counters_known_before_and_after_count),
		cmocka_unit_test(test_drop_counter_of_the_device_comes_first),
		cmocka_unit_test(test_arrivals_without_completion_found_no_request),
		cmocka_unit_test(test_device_that_counts_nothing_explains_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
