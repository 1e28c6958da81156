// SPDX-License-Identifier: GPL-2.0-or-later
/* Address ranges: what is one, and what lies in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/addr.c"
#include "../../ubench/cidr.c"
#include "../../ubench/parse.c"

static bool contains(const char *range, const char *address)
{
	struct cidr c;
	struct addr a;
	const char *why;

	assert_int_equal(cidr_parse(range, &c), 0);
	assert_int_equal(addr_resolve(address, "", 1, AF_UNSPEC, &a, 1, &why), 1);
	return cidr_contains(&c, &a);
}

static void test_ranges_contain_their_addresses(void **state)
{
	(void)state;
	assert_true(contains("10.0.0.0/8", "10.255.0.1"));
	assert_false(contains("10.0.0.0/8", "11.0.0.1"));
	assert_true(contains("192.168.4.0/22", "192.168.7.255"));
	assert_false(contains("192.168.4.0/22", "192.168.8.0"));
	assert_true(contains("10.1.2.3", "10.1.2.3"));
	assert_false(contains("10.1.2.3", "10.1.2.2"));
	assert_true(contains("0.0.0.0/0", "203.0.113.9"));
	assert_false(contains("0.0.0.0/0", "::1"));
	assert_true(contains("fd00::/8", "fdff::1"));
	assert_true(contains("fe80::/10", "febf::1"));
	assert_false(contains("fe80::/10", "fec0::1"));
}

static void test_what_is_no_range_is_refused(void **state)
{
	static const char *const bad[] = { "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0",
					   "fd00::/129", "fd00::1/64", "host/8", "10.0.0.0/8x",
					   "10.0.0.0/-1", "::ffff:10.0.0.0:1:2:3:4:5:6:7:8:9:a:b:c:d/8" };
	struct cidr c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cidr_parse(bad[i], &c), -EINVAL);
}

static void test_mapped_address_is_ipv4_once_unmapped(void **state)
{
	struct cidr c;
	struct addr a;
	const char *why;

	(void)state;
	assert_int_equal(cidr_parse("10.0.0.0/8", &c), 0);
	assert_int_equal(addr_resolve("::ffff:10.1.1.1", "", 1, AF_INET6, &a, 1, &why), 1);
	addr_unmap(&a);
	assert_true(cidr_contains(&c, &a));
	assert_int_equal(addr_port(&a), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges_contain_their_addresses),
		cmocka_unit_test(test_what_is_no_range_is_refused),
		cmocka_unit_test(test_mapped_address_is_ipv4_once_unmapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
