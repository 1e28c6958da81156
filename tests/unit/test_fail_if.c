// SPDX-License-Identifier: GPL-2.0-or-later
/* --fail-if: what is a condition, and when it holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/fail_if.c"
#include "../../ubench/result.c"

static bool holds(const char *text, const struct ubench_result *r)
{
	struct fail_if c;

	assert_int_equal(fail_if_parse(text, &c), 0);
	return fail_if_holds(&c, r);
}

static void test_condition_compares_the_metric(void **state)
{
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	r.sent = (struct result_sent){ 2, 0, 2000, 3 };
	r.received = (struct result_received){ .is_known = true, .is_sequenced = true,
		.seconds = 2, .packets = 1990, .lost_packets = 10, .jitter_ms = 0.5 };
	assert_true(holds("loss>0.1%", &r));
	assert_true(holds("loss>=0.5", &r));
	assert_false(holds("loss>0.5", &r));
	assert_true(holds("pps<=1000", &r));
	assert_false(holds("pps<1000", &r));
	assert_true(holds("rx_pps<1000", &r));
	assert_true(holds("errors>0", &r));
	assert_false(holds("jitter_ms>1", &r));
}

static void test_unknown_figure_makes_the_condition_hold(void **state)
{
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	assert_true(holds("loss>50%", &r));
	assert_true(holds("loss<50%", &r));
}

static void test_what_is_no_condition_is_refused(void **state)
{
	static const char *const bad[] = { "", "loss", "loss>", "loss>x", "loss=1", "los>1", ">1",
					   "loss>1%%", "loss>1 ", "pps>1%", "loss>-1", "loss>1.2.3" };
	struct fail_if c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(fail_if_parse(bad[i], &c), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_condition_compares_the_metric),
		cmocka_unit_test(test_unknown_figure_makes_the_condition_hold),
		cmocka_unit_test(test_what_is_no_condition_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
