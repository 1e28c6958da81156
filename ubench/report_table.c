// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws summaries with libsmartcols; "-" stands for what is not known. */
#include "report_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>
#include <libsmartcols.h>

#include "report_columns.h"
#include "report_summary.h"
#include "report_text.h"
#include "result.h"
#include "sweep_stats.h"
#include "verbs_report.h"

static void set_number(struct libscols_line *line, size_t cell, double value, int decimals)
{
	char text[48];

	scols_line_set_data(line, cell, report_figure_text(value, decimals, text, sizeof(text)));
}

static struct libscols_table *new_table(FILE *out, const char *first_column)
{
	struct libscols_table *table = scols_new_table();

	if (!table)
		return NULL;
	scols_table_set_stream(table, out);
	scols_table_new_column(table, first_column, 0, 0);
	return table;
}

static void print_legend(FILE *out, const struct summary *summary)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++) {
		if (!isfinite(summary->points[i].spread_percent))
			continue;
		fputs("Medians of the repeats; spread: (largest - smallest) / median of the "
		      "sender rate.\n", out);
		break;
	}
	if (summary->baseline)
		fprintf(out, "ratio: sender rate to that of %s%s.\n",
			strcmp(summary->baseline->label, "1") ? "" : "rate ",
			summary->baseline->label);
}

int report_table_summary(FILE *out, const struct summary *summary)
{
	struct libscols_table *table = new_table(out, report_point_title(summary));
	struct libscols_line *line;
	size_t i, c, cell;

	if (!table)
		return -ENOMEM;
	for (c = 0; c < REPORT_COLUMNS; c++)
		if (report_column_is_shown(summary, &report_columns[c]))
			scols_table_new_column(table, report_columns[c].title, 0, SCOLS_FL_RIGHT);
	for (i = 0; i < summary->n_points; i++) {
		line = scols_table_new_line(table, NULL);
		scols_line_set_data(line, 0, summary->points[i].label);
		for (c = 0, cell = 1; c < REPORT_COLUMNS; c++)
			if (report_column_is_shown(summary, &report_columns[c]))
				set_number(line, cell++,
					   report_figure(&summary->points[i], &report_columns[c]),
					   report_columns[c].decimals);
	}
	scols_print_table(table);
	scols_unref_table(table);
	print_legend(out, summary);
	return 0;
}

/* How the test itself prints its result. */
static void (*printer_of(const char *test))(FILE *, const struct ubench_result *, int)
{
	if (!strcasecmp(test, "TCP_STREAM"))
		return report_text_tcp;
	if (!strcasecmp(test, "UDP_RR"))
		return report_text_rr;
	if (!strcasecmp(test, "VERBS_UD"))
		return verbs_report_text;
	return report_text_udp;
}

static void print_netperf(FILE *out, const struct summary_point *point, const char *title)
{
	size_t median = sweep_stats_median_index(point->values[METRIC_SENDER_PPS], point->n);
	struct ubench_result result;
	json_t *document;

	if (median == point->n)
		return;
	document = json_object_get(point->repeats[median], "result");
	if (result_from_json(&result, document, NULL))
		return;
	fprintf(out, "== %s %s", title, point->label);
	if (point->n > 1)
		fprintf(out, ", repeat %zu of %zu (the median)", median + 1, point->n);
	fputs(" ==\n", out);
	printer_of(result.test)(out, &result, 1);
	fputc('\n', out);
	result_free(&result);
}

void report_table_netperf(FILE *out, const struct summary *summary)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++)
		print_netperf(out, &summary->points[i], report_point_title(summary));
}

static void add_compare_line(struct libscols_table *table, const struct summary *runs,
			     size_t n_runs, const char *label)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	const struct summary_point *point;
	size_t r, cell = 1;

	scols_line_set_data(line, 0, label);
	for (r = 0; r < n_runs; r++) {
		point = summary_find(&runs[r], label);
		set_number(line, cell++, point ? point->median[METRIC_SENDER_PPS] : NAN, 0);
		set_number(line, cell++, point ? point->ratio : NAN, 3);
		set_number(line, cell++, point ? point->median[METRIC_LOSS_PERCENT] : NAN, 2);
	}
}

int report_table_compare(FILE *out, const struct summary *runs, size_t n_runs)
{
	struct libscols_table *table = new_table(out, report_point_title(&runs[0]));
	const char *labels[SUMMARY_MAX_LABELS];
	size_t r, i, n_labels;
	char title[48];

	if (!table)
		return -ENOMEM;
	for (r = 0; r < n_runs; r++) {
		fprintf(out, "[%zu] %s", r + 1, runs[r].name);
		if (runs[r].baseline)
			fprintf(out, " (ratio to %s%s)",
				strcmp(runs[r].baseline->label, "1") ? "" : "rate ",
				runs[r].baseline->label);
		fputc('\n', out);
		snprintf(title, sizeof(title), "[%zu] sender PPS", r + 1);
		scols_table_new_column(table, title, 0, SCOLS_FL_RIGHT);
		snprintf(title, sizeof(title), "[%zu] ratio", r + 1);
		scols_table_new_column(table, title, 0, SCOLS_FL_RIGHT);
		snprintf(title, sizeof(title), "[%zu] loss %%", r + 1);
		scols_table_new_column(table, title, 0, SCOLS_FL_RIGHT);
	}
	n_labels = summary_labels(runs, n_runs, labels, SUMMARY_MAX_LABELS);
	for (i = 0; i < n_labels; i++)
		add_compare_line(table, runs, n_runs, labels[i]);
	scols_print_table(table);
	scols_unref_table(table);
	return 0;
}
