// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of VERBS_UD: perftest's letters, who talks to whom, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_options.c"

#define PARSE(opt, ...) parse(opt, (const char *[]){ "VERBS_UD", "-H", "peer", __VA_ARGS__, NULL })

static int parse(struct verbs_options *opt, const char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return verbs_options_parse(opt, argc, (char **)argv);
}

static void test_perftest_letters_set_the_knobs(void **state)
{
	struct verbs_options opt;

	(void)state;
	assert_int_equal(PARSE(&opt, "--", "-s", "1K", "-n", "10k", "-Q", "16", "-l", "4", "-t",
			       "64", "-r", "2048", "-q", "3", "-I", "128", "-e"), -1);
	assert_int_equal(opt.message_bytes, 1024);
	assert_true(opt.count == 10000);
	assert_true(opt.global.seconds == 0);
	assert_int_equal(opt.signal_rate, 16);
	assert_int_equal(opt.post_list, 4);
	assert_int_equal(opt.send_depth, 64);
	assert_int_equal(opt.recv_depth, 2048);
	assert_int_equal(opt.qps, 3);
	assert_int_equal(opt.inline_bytes, 128);
	assert_true(opt.uses_events);
	assert_int_equal(opt.way, VERBS_BY_CM);
}

static void test_sender_can_be_placed_and_faults_asked_for(void **state)
{
	struct verbs_options opt;

	(void)state;
	assert_int_equal(PARSE(&opt, "--", "-n", "5"), -1);
	assert_int_equal(opt.numa_node, -1);
	assert_int_equal(PARSE(&opt, "--", "--numa-node", "1", "--fault-cq", "4", "--fault-wr", "7"), -1);
	assert_int_equal(opt.numa_node, 1);
	assert_int_equal(opt.fault_cq, 4);
	assert_true(opt.fault_wr == 7);
	assert_int_equal(PARSE(&opt, "--", "--numa-node", "-1"), UBENCH_EXIT_USAGE);
}

static void test_time_is_the_default_limit(void **state)
{
	struct verbs_options opt;

	(void)state;
	assert_int_equal(PARSE(&opt, "-l", "3", "--", "-s", "64"), -1);
	assert_true(opt.global.seconds == 3);
	assert_true(opt.count == VERBS_PLAN_ENDLESS);
	assert_int_equal(opt.signal_rate, 1);
	assert_int_equal(PARSE(&opt, "--", "-D", "7"), -1);
	assert_true(opt.global.seconds == 7);
}

static void test_naming_a_device_needs_no_rdma_cm(void **state)
{
	struct verbs_options opt;

	(void)state;
	assert_int_equal(PARSE(&opt, "--", "-d", "mlx5_0", "-i", "2", "-x", "3", "--peer-device",
			       "rxe1:1:5"), -1);
	assert_int_equal(opt.way, VERBS_BY_DEVICE);
	assert_string_equal(opt.device.name, "mlx5_0");
	assert_int_equal(opt.device.port, 2);
	assert_int_equal(opt.device.gid_index, 3);
	assert_string_equal(opt.peer_device.name, "rxe1");
	assert_int_equal(opt.peer_device.gid_index, 5);
}

static void test_group_takes_more_receivers(void **state)
{
	struct verbs_options opt;

	(void)state;
	assert_int_equal(PARSE(&opt, "--omit", "1"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "-i", "5,2"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--", "-g", "239.1.1.1", "--receiver", "b", "--receiver", "c"),
			 -1);
	assert_int_equal(opt.way, VERBS_BY_GROUP);
	assert_int_equal(opt.n_receivers, 2);
	assert_string_equal(opt.receivers[1], "c");
}

static void test_bad_values_are_usage_errors(void **state)
{
	static const char *const bad[][2] = {
		{ "-Q", "0" }, { "-Q", "4x" }, { "-l", "0" }, { "-t", "0" }, { "-t", "99999999" },
		{ "-r", "-1" }, { "-q", "257" }, { "-s", "0" }, { "-n", "0" }, { "-i", "0" },
		{ "-x", "256" }, { "--moderate", "16" }, { "--moderate", "0:5" },
		{ "--post-api", "magic" }, { "--qkey", "0x1ffffffff" }, { "--peer-device", ":1" },
		{ "--receiver", "b" }, { "-g", "" },
	};
	struct verbs_options opt;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(PARSE(&opt, "--", bad[i][0], bad[i][1]), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--", "-k"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--", "-s"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--", "word"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "-N", "--", "-e"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--omit", "1"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "-i", "5,2"), UBENCH_EXIT_USAGE);
	assert_int_equal(PARSE(&opt, "--", "-g", "239.1.1.1", "-d", "rxe0"), UBENCH_EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perftest_letters_set_the_knobs),
		cmocka_unit_test(test_sender_can_be_placed_and_faults_asked_for),
		cmocka_unit_test(test_time_is_the_default_limit),
		cmocka_unit_test(test_naming_a_device_needs_no_rdma_cm),
		cmocka_unit_test(test_group_takes_more_receivers),
		cmocka_unit_test(test_bad_values_are_usage_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
