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

static char *csv_of(const json_t *run)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(report_csv(out, run), 0);
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
	csv = csv_of(run);
	assert_string_equal(csv,
		"tx_signal_rate,sender_pps,receiver_pps,loss_percent,cqes_per_packet,"
		"events_per_packet,ratio_to_unpatched,spread_percent,sender_cpu_us_per_packet,"
		"receiver_cpu_us_per_packet,held_packets_max,held_usecs_max,ratio_to_baseline\n"
		"unpatched,505.0,480.0,5.0000,1.000000,,1.0000,1.98,,,,,1.0000\n"
		"4,610.0,305.0,50.0000,0.250000,,1.2079,3.28,,,,,1.2079\n");
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
	csv = csv_of(run);
	assert_non_null(strstr(csv, "\n1,500.0,,,1.000000,,,,,,,,1.0000\n"));
	free(csv);
	summary_free(&summary);
	json_decref(run);
}

/* Two rates at two message sizes. */
static json_t *grid(void)
{
	json_t *run = run_of(json_pack("[ssss]", "1/100", "1/1400", "8/100", "8/1400"),
			     json_pack("[oooo]", repeat("1/100", 1000, 1000, 1000),
				       repeat("1/1400", 500, 500, 500), repeat("8/100", 1500, 1500, 188),
				       repeat("8/1400", 510, 510, 64)));

	json_object_set_new(json_object_get(run, "plan"), "knobs",
			    json_pack("[{s:s, s:[ss]}, {s:s, s:[ss]}]", "knob", "tx_signal_rate",
				      "values", "1", "8", "knob", "option:-m", "values", "100", "1400"));
	json_object_set_new(json_object_get(run, "plan"), "baseline", json_string("1"));
	return run;
}

static void test_grid_is_compared_within_each_value_of_its_second_knob(void **state)
{
	json_t *run = grid(), *points = json_array();
	struct summary summary;
	char *csv = csv_of(run);

	(void)state;
	assert_int_equal(summary_slices(run), 2);
	assert_int_equal(summary_init_slice(&summary, run, "x", 1), 0);
	assert_string_equal(summary.name, "x, option:-m 1400");
	assert_string_equal(summary.points[1].label, "8");
	assert_string_equal(summary.points[1].full_label, "8/1400");
	assert_true(fabs(summary.points[1].ratio - 1.02) < 1e-9);
	summary_to_json(&summary, points);
	assert_string_equal(json_string_value(json_object_get(json_array_get(points, 0), "point")),
			    "1/1400");
	assert_non_null(strstr(csv, "tx_signal_rate,option:-m,sender_pps"));
	assert_non_null(strstr(csv, "\n8,100,750.0,"));
	assert_non_null(strstr(csv, "\n8,1400,255.0,"));
	json_decref(points);
	free(csv);
	summary_free(&summary);
	json_decref(run);
}

static void test_costs_and_what_is_held_are_figures_of_a_point(void **state)
{
	json_t *one = repeat("8", 1000, 900, 125), *run;
	struct summary summary;

	(void)state;
	json_object_set_new(one, "held", json_pack("{s:i, s:i}", "packets_max", 7, "usecs_max", 50));
	json_object_set_new(json_object_get(json_object_get(one, "result"), "end"), "local_cpu",
			    json_pack("{s:f, s:f}", "utilization_percent", 40.0, "us_per_packet", 5.5));
	run = run_of(json_pack("[s]", "8"), json_pack("[o]", one));
	assert_int_equal(summary_init(&summary, run, "x"), 0);
	assert_true(summary.points[0].median[METRIC_HELD_PACKETS] == 7);
	assert_true(summary.points[0].median[METRIC_HELD_USECS] == 50);
	assert_true(summary.points[0].median[METRIC_SENDER_CPU_US] == 5.5);
	assert_true(summary.points[0].median[METRIC_SENDER_CPU_PERCENT] == 40);
	assert_true(isnan(summary.points[0].median[METRIC_RECEIVER_CPU_US]));
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
		cmocka_unit_test(test_grid_is_compared_within_each_value_of_its_second_knob),
		cmocka_unit_test(test_costs_and_what_is_held_are_figures_of_a_point),
		cmocka_unit_test(test_point_without_repeats_is_left_out),
		cmocka_unit_test(test_other_documents_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
