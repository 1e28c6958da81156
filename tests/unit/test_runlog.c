// SPDX-License-Identifier: GPL-2.0-or-later
/* Results on disk: whole or hidden, and whole lines after a death in the middle of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/report_csv.c"
#include "../../ubench/report_summary.c"
#include "../../ubench/runlog.c"
#include "../../ubench/sweep_stats.c"

static char root[] = "/tmp/test_runlog.XXXXXX";
static char dir[64];

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	snprintf(dir, sizeof(dir), "%s/results/a-run", root);
	return 0;
}

static int remove_root(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static json_t *a_run(void)
{
	return json_pack("{s:{s:s}, s:{s:[s]}, s:[{s:s, s:i}]}", "start", "knob", "tx_signal_rate",
			 "plan", "points", "1", "repeats", "point", "1", "round", 1);
}

static void test_result_appears_at_once_and_whole(void **state)
{
	json_t *run = a_run(), *loaded;
	struct runlog log;
	char why[128];

	(void)state;
	assert_int_equal(runlog_create(&log, dir), 0);
	assert_int_equal(access(dir, F_OK), -1);
	assert_int_equal(runlog_begin(&log, run), 0);
	assert_int_equal(runlog_append(&log, run), 0);
	assert_int_equal(runlog_publish(&log, run), 0);
	assert_int_equal(access(log.work_dir, F_OK), -1);
	loaded = runlog_load(dir, why, sizeof(why));
	assert_true(json_equal(run, loaded));
	assert_int_equal(runlog_create(&log, dir), -EEXIST);
	json_decref(run);
	json_decref(loaded);
}

static void test_second_writer_of_a_result_is_refused_and_discard_leaves_nothing(void **state)
{
	struct runlog log, other;
	char path[80];

	(void)state;
	snprintf(path, sizeof(path), "%s/other/", root);
	assert_int_equal(runlog_create(&log, path), 0);
	assert_int_equal(runlog_create(&other, path), -EBUSY);
	runlog_discard(&log);
	assert_int_equal(access(log.work_dir, F_OK), -1);
}

static void test_reopened_log_has_the_whole_lines_and_goes_on_behind_them(void **state)
{
	json_t *run = a_run(), *start, *repeats;
	char path[80], why[128];
	struct runlog log, again;

	(void)state;
	snprintf(path, sizeof(path), "%s/torn", root);
	assert_int_equal(runlog_create(&log, path), 0);
	assert_int_equal(runlog_begin(&log, run), 0);
	assert_int_equal(runlog_append(&log, run), 0);
	assert_int_equal(runlog_append(&log, run), 0);
	assert_true(write(log.log_fd, "{\"point\":\"1\",\"rou", 17) == 17);
	runlog_close(&log);

	assert_int_equal(runlog_reopen(&again, log.work_dir, &start, &repeats, why, sizeof(why)), 0);
	assert_int_equal(json_array_size(repeats), 2);
	assert_true(json_equal(start, run));
	assert_string_equal(strrchr(again.final_dir, '/'), "/torn");
	assert_int_equal(runlog_append(&again, run), 0);
	runlog_close(&again);
	json_decref(start);
	json_decref(repeats);

	assert_int_equal(runlog_reopen(&again, log.work_dir, &start, &repeats, why, sizeof(why)), 0);
	assert_int_equal(json_array_size(repeats), 3);
	json_decref(start);
	json_decref(repeats);
	runlog_discard(&again);
	json_decref(run);
}

static void test_other_directories_are_not_reopened(void **state)
{
	json_t *start, *repeats;
	struct runlog log;
	char why[128];

	(void)state;
	assert_int_equal(runlog_reopen(&log, root, &start, &repeats, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "not what a sweep leaves"));
	assert_int_equal(runlog_reopen(&log, "/nowhere", &start, &repeats, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_result_appears_at_once_and_whole),
		cmocka_unit_test(test_second_writer_of_a_result_is_refused_and_discard_leaves_nothing),
		cmocka_unit_test(test_reopened_log_has_the_whole_lines_and_goes_on_behind_them),
		cmocka_unit_test(test_other_directories_are_not_reopened),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
