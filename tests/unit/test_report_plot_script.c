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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoting_leaves_no_way_out_of_the_string),
		cmocka_unit_test(test_only_known_figures_make_curves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
