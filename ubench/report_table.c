// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws summaries with libsmartcols; "-" stands for what is not known. */
#include "report_table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <jansson.h>
#include <libsmartcols.h>

#include "knob.h"
#include "report_summary.h"
#include "report_text.h"
#include "result.h"
#include "sweep_plan.h"
#include "sweep_stats.h"

/* Not real metrics, but columns like them. */
enum { COLUMN_RATIO = METRICS, COLUMN_SPREAD };

struct column {
	const char *title;
	int what;		/* enum metric or one of the above */
	int decimals;
};

static const struct column columns[] = {
	{ "sender PPS", METRIC_SENDER_PPS, 0 },
	{ "recv PPS", METRIC_RECEIVER_PPS, 0 },
	{ "sent Mbit/s", METRIC_SENDER_MBIT, 3 },
	{ "recv Mbit/s", METRIC_RECEIVER_MBIT, 3 },
	{ "loss %", METRIC_LOSS_PERCENT, 2 },
	{ "CQE/pkt", METRIC_CQES_PER_PACKET, 4 },
	{ "event/pkt", METRIC_EVENTS_PER_PACKET, 4 },
	{ "ns/pkt", METRIC_NS_PER_PACKET, 1 },
	{ "ratio", COLUMN_RATIO, 3 },
	{ "spread %", COLUMN_SPREAD, 2 },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static double figure(const struct summary_point *point, int what)
{
	if (what == COLUMN_RATIO)
		return point->ratio;
	if (what == COLUMN_SPREAD)
		return point->spread_percent;
	return point->median[what];
}

/* Bit rates are for runs that count no packets; the rest is shown where anybody knows it. */
static bool is_shown(const struct summary *summary, const struct column *column)
{
	size_t i;

	if ((column->what == METRIC_SENDER_MBIT || column->what == METRIC_RECEIVER_MBIT) &&
	    summary_knows(summary, METRIC_SENDER_PPS))
		return false;
	if (column->what == METRIC_SENDER_PPS || column->what == METRIC_RECEIVER_PPS)
		return summary_knows(summary, METRIC_SENDER_PPS);
	for (i = 0; i < summary->n_points; i++)
		if (isfinite(figure(&summary->points[i], column->what)))
			return true;
	return false;
}

static void set_number(struct libscols_line *line, size_t cell, double value, int decimals)
{
	char text[48];

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.*f", decimals, value);
	else
		strcpy(text, "-");
	scols_line_set_data(line, cell, text);
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

/* The knob's name where a run varies one, else "case". */
static const char *point_title(const struct summary *summary)
{
	const char *knob = summary_knob(summary);

	return !knob ? "case" : strcmp(knob, "tx_signal_rate") ? knob : "rate";
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
	struct libscols_table *table = new_table(out, point_title(summary));
	struct libscols_line *line;
	size_t i, c, cell;

	if (!table)
		return -ENOMEM;
	for (c = 0; c < COLUMNS; c++)
		if (is_shown(summary, &columns[c]))
			scols_table_new_column(table, columns[c].title, 0, SCOLS_FL_RIGHT);
	for (i = 0; i < summary->n_points; i++) {
		line = scols_table_new_line(table, NULL);
		scols_line_set_data(line, 0, summary->points[i].label);
		for (c = 0, cell = 1; c < COLUMNS; c++)
			if (is_shown(summary, &columns[c]))
				set_number(line, cell++,
					   figure(&summary->points[i], columns[c].what),
					   columns[c].decimals);
	}
	scols_print_table(table);
	scols_unref_table(table);
	print_legend(out, summary);
	return 0;
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
	report_text_udp(out, &result, 1);
	fputc('\n', out);
	result_free(&result);
}

void report_table_netperf(FILE *out, const struct summary *summary)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++)
		print_netperf(out, &summary->points[i], point_title(summary));
}

/* unpatched first, then rates from small to large; other labels keep their order behind. */
static long label_rank(const char *label)
{
	long rate;

	if (!strcmp(label, SWEEP_UNPATCHED))
		return 0;
	return knob_parse_rate(label, 0, &rate) ? LONG_MAX : rate;
}

/* The labels of all runs, each once, in that order. Returns their number. */
static size_t merge_labels(const struct summary *runs, size_t n_runs, const char **labels,
			   size_t max_labels)
{
	size_t r, i, at, n = 0;

	for (r = 0; r < n_runs; r++) {
		for (i = 0; i < runs[r].n_points && n < max_labels; i++) {
			const char *label = runs[r].points[i].label;

			for (at = 0; at < n && strcmp(labels[at], label); at++)
				;
			if (at < n)
				continue;
			while (at > 0 && label_rank(labels[at - 1]) > label_rank(label))
				at--;
			memmove(&labels[at + 1], &labels[at], (n - at) * sizeof(*labels));
			labels[at] = label;
			n++;
		}
	}
	return n;
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
	struct libscols_table *table = new_table(out, point_title(&runs[0]));
	const char *labels[4 * SWEEP_MAX_POINTS];
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
	n_labels = merge_labels(runs, n_runs, labels, sizeof(labels) / sizeof(labels[0]));
	for (i = 0; i < n_labels; i++)
		add_compare_line(table, runs, n_runs, labels[i]);
	scols_print_table(table);
	scols_unref_table(table);
	return 0;
}
