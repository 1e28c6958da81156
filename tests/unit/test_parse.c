// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers on the command line: suffixes, limits, pairs, and the refusal of anything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/parse.c"

static void test_suffixes_are_netperfs(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(parse_size("100", &v), 0);
	assert_int_equal(v, 100);
	assert_int_equal(parse_size("2k", &v), 0);
	assert_int_equal(v, 2000);
	assert_int_equal(parse_size("2K", &v), 0);
	assert_int_equal(v, 2048);
	assert_int_equal(parse_size("3G", &v), 0);
	assert_true(v == 3ULL << 30);
}

static void test_sizes_that_are_not_numbers_are_refused(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1x", "1KB", "K", "0x10", "1.5",
					   "99999999999999999999", "9223372036854775807K" };
	uint64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(parse_size(bad[i], &v), -EINVAL);
}

static void test_limit_is_seconds_or_packets(void **state)
{
	uint64_t packets;
	double seconds;

	(void)state;
	assert_int_equal(parse_limit("2.5", &seconds, &packets), 0);
	assert_true(seconds == 2.5 && packets == 0);
	assert_int_equal(parse_limit("-60000", &seconds, &packets), 0);
	assert_true(seconds == 0 && packets == 60000);
	assert_int_equal(parse_limit("-6k", &seconds, &packets), 0);
	assert_true(packets == 6000);
	assert_int_equal(parse_limit("0", &seconds, &packets), 0);
	assert_true(seconds == 0 && packets == 0);
	assert_int_equal(parse_limit("-0", &seconds, &packets), -EINVAL);
	assert_int_equal(parse_limit("--5", &seconds, &packets), -EINVAL);
	assert_int_equal(parse_limit("5s", &seconds, &packets), -EINVAL);
	assert_int_equal(parse_limit("nan", &seconds, &packets), -EINVAL);
	assert_int_equal(parse_limit("1e99", &seconds, &packets), -EINVAL);
	assert_int_equal(parse_limit(".", &seconds, &packets), -EINVAL);
}

static void test_pair_sets_both_or_one(void **state)
{
	long a = -1, b = -1;

	(void)state;
	assert_int_equal(parse_pair("3", 0, 9, &a, &b), 0);
	assert_true(a == 3 && b == 3);
	assert_int_equal(parse_pair("4,", 0, 9, &a, &b), 0);
	assert_true(a == 4 && b == 3);
	assert_int_equal(parse_pair(",5", 0, 9, &a, &b), 0);
	assert_true(a == 4 && b == 5);
	assert_int_equal(parse_pair(",", 0, 9, &a, &b), -EINVAL);
	assert_int_equal(parse_pair("10", 0, 9, &a, &b), -EINVAL);
	assert_int_equal(parse_pair("1,2,3", 0, 9, &a, &b), -EINVAL);
}

static void test_host_carries_a_device(void **state)
{
	char host[16], dev[8];

	(void)state;
	assert_int_equal(parse_host("fe80::1%ib0", host, sizeof(host), dev, sizeof(dev)), 0);
	assert_string_equal(host, "fe80::1");
	assert_string_equal(dev, "ib0");
	assert_int_equal(parse_host("10.0.0.2", host, sizeof(host), dev, sizeof(dev)), 0);
	assert_string_equal(dev, "");
	assert_int_equal(parse_host("%ib0", host, sizeof(host), dev, sizeof(dev)), -EINVAL);
	assert_int_equal(parse_host("h%", host, sizeof(host), dev, sizeof(dev)), -EINVAL);
	assert_int_equal(parse_host("h%toolongname", host, sizeof(host), dev, sizeof(dev)),
			 -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suffixes_are_netperfs),
		cmocka_unit_test(test_sizes_that_are_not_numbers_are_refused),
		cmocka_unit_test(test_limit_is_seconds_or_packets),
		cmocka_unit_test(test_pair_sets_both_or_one),
		cmocka_unit_test(test_host_carries_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
