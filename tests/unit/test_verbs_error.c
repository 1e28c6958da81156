// SPDX-License-Identifier: GPL-2.0-or-later
/* Errors of verbs: names of every status and event, the first error kept, what to do said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_error.c"

static void test_every_status_and_event_has_its_own_name(void **state)
{
	int i;

	(void)state;
	for (i = 0; i <= IBV_WC_TM_RNDV_INCOMPLETE; i++)
		assert_null(strchr(verbs_wc_status_name(i), '('));
	for (i = 0; i <= IBV_EVENT_WQ_FATAL; i++)
		assert_null(strchr(verbs_event_name(i), '('));
	assert_string_equal(verbs_wc_status_name(IBV_WC_LOC_LEN_ERR), "IBV_WC_LOC_LEN_ERR");
	assert_string_equal(verbs_event_name(IBV_EVENT_PORT_ERR), "IBV_EVENT_PORT_ERR");
}

static void test_unknown_numbers_are_said_to_be_unknown(void **state)
{
	(void)state;
	assert_string_equal(verbs_wc_status_name(999), "IBV_WC_(unknown)");
	assert_string_equal(verbs_wc_status_name(-1), "IBV_WC_(unknown)");
	assert_string_equal(verbs_event_name(999), "IBV_EVENT_(unknown)");
}

static void test_completion_error_names_the_request(void **state)
{
	struct ibv_wc wc = { .status = IBV_WC_LOC_PROT_ERR, .qp_num = 0x11, .vendor_err = 0x42 };
	struct result_error err = { 0 };

	(void)state;
	assert_int_equal(verbs_fail_wc(&err, &wc, 2, 500), -EIO);
	assert_int_equal(err.code, UBENCH_EXIT_FAILED);
	assert_non_null(strstr(err.message, "work request 500 of flow 2 (QP 0x000011) failed with IBV_WC_LOC_PROT_ERR"));
}

static void test_first_error_is_kept(void **state)
{
	struct result_error err = { 0 };

	(void)state;
	verbs_fail_errno(&err, "queue pair", EOPNOTSUPP);
	verbs_fail_errno(&err, "completion queue", ENOMEM);
	assert_int_equal(err.code, UBENCH_EXIT_UNSUPPORTED);
	assert_memory_equal(err.message, "queue pair: ", 12);
}

static void test_lack_of_memory_tells_the_limit(void **state)
{
	struct rlimit limit = { 65536, 65536 };
	struct result_error err = { 0 };

	(void)state;
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
	verbs_fail_errno(&err, "memory registration", ENOMEM);
	assert_non_null(strstr(err.message, "the limit of locked memory is 64 kB: raise it"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_status_and_event_has_its_own_name),
		cmocka_unit_test(test_unknown_numbers_are_said_to_be_unknown),
		cmocka_unit_test(test_completion_error_names_the_request),
		cmocka_unit_test(test_first_error_is_kept),
		cmocka_unit_test(test_lack_of_memory_tells_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
