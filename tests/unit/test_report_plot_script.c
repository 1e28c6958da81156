// SPDX-License-Identifier: GPL-2.0-or-later
/* Scripts for gnuplot: text from a run stays text, and only what is known is drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/report_findings.c"
#include "../../ubench/report_plot_script.c"
#include "../../ubench/report_summary.c"
#include "../../ubench/sweep_inference.c"
#include "../../ubench/sweep_stats.c"

static char *quoted(const char *text)
{
	char *buf;
	size_t len;
	FILE *out = open_memstream(&buf, &len);

	plot_quote(out, text);
	fclose(out);
	return buf;
}

static void test_quoting_leaves_no_way_out_of_the_string(void **state)
{
	char *text = quoted("a'b\n`rm`\"$x");

	(void)state;
	assert_string_equal(text, "'a''b `rm`\"$x'");
	free(text);
}

/* Two points, one repeat each, no receiver and no counters. */
static json_t *sender_only_run(void)
{
	return json_pack("{s:{s:s}, s:{s:[s,s]}, s:[{s:s,s:i,s:{s:{s:{s:f,s:i}}}},"
			 "{s:s,s:i,s:{s:{s:{s:f,s:i}}}}]}",
			 "start", "knob", "tx_signal_rate", "plan", "points", "1", "8", "repeats",
			 "point", "1", "round", 1, "result", "end", "sum_sent", "seconds", 1.0,
			 "packets", 1000,
			 "point", "8", "round", 1, "result", "end", "sum_sent", "seconds", 1.0,
			 "packets", 1250);
}

static void test_only_known_figures_make_curves(void **state)
{
	json_t *run = sender_only_run();
	struct findings findings;
	struct summary summary;
	char *script;
	size_t len;
	FILE *out = open_memstream(&script, &len);

	(void)state;
	assert_int_equal(summary_init(&summary, run, "it's"), 0);
	findings_init(&findings, &summary);
	assert_true(report_plot_has_data(PLOT_PPS, &summary, 1));
	assert_true(report_plot_has_data(PLOT_RATIO, &summary, 1));
	assert_false(report_plot_has_data(PLOT_LOSS, &summary, 1));
	assert_false(report_plot_has_data(PLOT_COMPLETIONS, &summary, 1));
	assert_false(report_plot_has_data(PLOT_LOST_WHERE, &summary, 1));
	assert_false(report_plot_has_data(PLOT_TIME, &summary, 1));
	plot_script(out, PLOT_PPS, &summary, &findings, 1);
	fclose(out);
	assert_non_null(strstr(script, "\n0 1000 1000 1000\n1 1250 1250 1250\nEOD\n"));
	assert_non_null(strstr(script, "title 'sent'"));
	assert_null(strstr(script, "title 'received'"));
	assert_null(strstr(script, "nan"));
	free(script);
	findings_free(&findings);
	summary_free(&summary);
	json_decref(run);
}

/* The rows of an interim result for the first repeat. */
static json_t *run_with_rows(double first, double second)
{
	json_t *run = sender_only_run();
	json_t *result = json_object_get(json_array_get(json_object_get(run, "repeats"), 0), "result");

	json_object_set_new(result, "intervals",
			    json_pack("[{s:f, s:f, s:f}, {s:f, s:f, s:f}]", "start_seconds", 0.0, "seconds",
				      1.0, "packets_per_second", first, "start_seconds", 1.0, "seconds",
				      1.0, "packets_per_second", second));
	return run;
}

static void test_time_lines_of_two_runs_lie_over_each_other(void **state)
{
	json_t *runs[] = { run_with_rows(900, 1100), run_with_rows(500, 700) };
	struct summary summaries[2];
	char *script;
	size_t len;
	FILE *out = open_memstream(&script, &len);

	(void)state;
	assert_int_equal(summary_init(&summaries[0], runs[0], "before"), 0);
	assert_int_equal(summary_init(&summaries[1], runs[1], "after"), 0);
	assert_true(report_plot_has_data(PLOT_TIME, summaries, 2));
	plot_script(out, PLOT_TIME, summaries, NULL, 2);
	fclose(out);
	assert_non_null(strstr(script, "$t0x0 << EOD\n1 900\n2 1100\nEOD\n"));
	assert_non_null(strstr(script, "$t1x0 << EOD\n1 500\n2 700\nEOD\n"));
	assert_non_null(strstr(script, "title '1, before'"));
	assert_non_null(strstr(script, "title '1, after'"));
	assert_null(strstr(script, "title '8, after'"));	/* it has no rows */
	free(script);
	summary_free(&summaries[0]);
	summary_free(&summaries[1]);
	json_decref(runs[0]);
	json_decref(runs[1]);
}

static void test_losses_of_verbs_are_parts_of_the_stack(void **state)
{
	json_t *run = sender_only_run();
	json_t *end = json_object_get(json_object_get(json_array_get(json_object_get(run, "repeats"), 0),
						      "result"), "end");
	struct summary summary;
	char *script;
	size_t len;
	FILE *out = open_memstream(&script, &len);

	(void)state;
	json_object_set_new(end, "loss", json_pack("{s:i, s:i}", "receive_queue", 100, "wrong_qkey", 0));
	assert_int_equal(summary_init(&summary, run, ""), 0);
	assert_true(report_plot_has_data(PLOT_LOST_WHERE, &summary, 1));
	plot_script(out, PLOT_LOST_WHERE, &summary, NULL, 1);
	fclose(out);
	assert_non_null(strstr(script, "title 'receive_queue'"));
	assert_null(strstr(script, "title 'fabric'"));
	free(script);
	summary_free(&summary);
	json_decref(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoting_leaves_no_way_out_of_the_string),
		cmocka_unit_test(test_only_known_figures_make_curves),
		cmocka_unit_test(test_time_lines_of_two_runs_lie_over_each_other),
		cmocka_unit_test(test_losses_of_verbs_are_parts_of_the_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
