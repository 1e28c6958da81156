// SPDX-License-Identifier: GPL-2.0-or-later
/* Raw repeats become medians, ratios and the columns of summary.csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/report_csv.c"
#include "../../ubench/report_summary.c"
#include "../../ubench/sweep_stats.c"

static json_t *repeat(const char *point, int packets, int received, int cqes)
{
	json_t *rx = received < 0 ? json_null() :
		json_pack("{s:f, s:i, s:i, s:i}", "seconds", 2.0, "packets", received, "bytes",
			  received * 100, "lost_packets", packets - received);

	return json_pack("{s:s, s:i, s:{s:i, s:i, s:n}, s:{s:{s:{s:f, s:i, s:i}, s:o}}}", "point",
			 point, "round", 1, "counters", "tx_wrs", packets, "tx_cqes", cqes,
			 "tx_events", "result", "end", "sum_sent", "seconds", 2.0, "packets",
			 packets, "bytes", packets * 100, "sum_received", rx);
}

static json_t *run_of(json_t *points, json_t *repeats)
{
	return json_pack("{s:{s:s}, s:{s:o}, s:o}", "start", "knob", "tx_signal_rate", "plan",
			 "points", points, "repeats", repeats);
}

static char *csv_of(const struct summary *summary)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	report_csv(out, summary);
	fclose(out);
	return text;
}

static void test_medians_ratio_and_counters_come_from_the_repeats(void **state)
{
	json_t *run = run_of(json_pack("[ss]", "unpatched", "4"),
			     json_pack("[oooo]", repeat("unpatched", 1000, 900, 1000),
				       repeat("4", 1200, 600, 300), repeat("unpatched", 1020, 1020, 1020),
				       repeat("4", 1240, 620, 310)));
	struct summary summary;
	char *csv;

	(void)state;
	assert_int_equal(summary_init(&summary, run, "x"), 0);
	csv = csv_of(&summary);
	assert_string_equal(csv,
		"tx_signal_rate,sender_pps,receiver_pps,loss_percent,cqes_per_packet,"
		"events_per_packet,ratio_to_unpatched,spread_percent\n"
		"unpatched,505.0,480.0,5.0000,1.000000,,1.0000,1.98\n"
		"4,610.0,305.0,50.0000,0.250000,,1.2079,3.28\n");
	free(csv);
	summary_free(&summary);
	json_decref(run);
}

static void test_sender_only_run_leaves_receiver_columns_empty(void **state)
{
	json_t *run = run_of(json_pack("[s]", "1"), json_pack("[o]", repeat("1", 1000, -1, 1000)));
	struct summary summary;
	char *csv;

	(void)state;
	assert_int_equal(summary_init(&summary, run, "x"), 0);
	assert_string_equal(summary.baseline->label, "1");
	csv = csv_of(&summary);
	assert_non_null(strstr(csv, "\n1,500.0,,,1.000000,,,\n"));
	free(csv);
	summary_free(&summary);
	json_decref(run);
}

static void test_point_without_repeats_is_left_out(void **state)
{
	json_t *run = run_of(json_pack("[ss]", "1", "4"),
			     json_pack("[o]", repeat("4", 1000, 1000, 250)));
	struct summary summary;

	(void)state;
	assert_int_equal(summary_init(&summary, run, "x"), 0);
	assert_int_equal(summary.n_points, 1);
	assert_null(summary.baseline);
	assert_true(isnan(summary.points[0].ratio));
	summary_free(&summary);
	json_decref(run);
}

static void test_other_documents_are_refused(void **state)
{
	json_t *not_a_run = json_pack("{s:i}", "schema_version", 1);
	json_t *bad_point = run_of(json_pack("[i]", 4), json_array());
	struct summary summary;

	(void)state;
	assert_int_equal(summary_init(&summary, not_a_run, "x"), -EINVAL);
	assert_int_equal(summary_init(&summary, bad_point, "x"), -EINVAL);
	json_decref(not_a_run);
	json_decref(bad_point);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medians_ratio_and_counters_come_from_the_repeats),
		cmocka_unit_test(test_sender_only_run_leaves_receiver_columns_empty),
		cmocka_unit_test(test_point_without_repeats_is_left_out),
		cmocka_unit_test(test_other_documents_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
