// SPDX-License-Identifier: GPL-2.0-or-later
/* One gnuplot script a plot: the points are places on the x axis, the runs are curves. */
#include "report_plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "knob.h"
#include "report_findings.h"
#include "report_summary.h"
#include "sweep_inference.h"
#include "sweep_stats.h"

/* Readable on white and on nearly black; point types and dashes tell curves apart without colour. */
static const char *const colours[] = { "#2f81d6", "#d9711a", "#1a9a6c", "#b457c9", "#c7463f", "#8a8f2a",
					"#5f7f8f", "#a06a4b" };

enum { COLOURS = sizeof(colours) / sizeof(colours[0]) };

static const char *const loss_parts[] = { "sender_queue", "transmit_ring", "fabric", "receive_ring",
					  "receive_socket", "receive_queue", "wrong_qkey", "unknown" };

enum { LOSS_PARTS = sizeof(loss_parts) / sizeof(loss_parts[0]) };

void plot_quote(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	fputc('\'', out);
}

struct axis {
	const char *labels[SUMMARY_MAX_LABELS];
	size_t n;
};

static void preamble(FILE *out, const struct axis *axis, const char *y_title)
{
	size_t i;

	fputs("set terminal svg size 760,380 dynamic noenhanced font 'sans-serif,13'\n"
	      "set grid ytics\nset key outside top center horizontal\nset bmargin 2.5\n"
	      "set offsets 0.4, 0.4, graph 0.05, 0\nset yrange [0:*]\nset xtics (", out);
	for (i = 0; i < axis->n; i++) {
		fputs(i ? ", " : "", out);
		plot_quote(out, axis->labels[i]);
		fprintf(out, " %zu", i);
	}
	fputs(axis->n > 8 ? ") rotate by -25\nset bmargin 7\n" : ")\n", out);
	fputs("set ylabel ", out);
	plot_quote(out, y_title);
	fputc('\n', out);
}

/* Datablock $name: place, estimate, low, high of each point that has an estimate. */
static bool put_intervals(FILE *out, const char *name, const struct axis *axis,
			  const struct summary *run, const struct findings *findings, int what)
{
	const struct summary_point *point;
	struct inference_interval interval;
	bool any = false;
	size_t i;

	fprintf(out, "$%s << EOD\n", name);
	for (i = 0; i < axis->n; i++) {
		point = summary_find(run, axis->labels[i]);
		if (!point)
			continue;
		interval = what < 0 ? findings->points[point - run->points].ratio :
				      inference_mean(point->values[what], point->n);
		if (what < 0 && point == run->baseline)
			interval = (struct inference_interval){ 1, 1, 1, NAN };
		if (!isfinite(interval.estimate))
			continue;
		if (!isfinite(interval.low))
			interval.low = interval.high = interval.estimate;
		fprintf(out, "%zu %.6g %.6g %.6g\n", i, interval.estimate, interval.low,
			interval.high);
		any = true;
	}
	fputs("EOD\n", out);
	return any;
}

struct curves {
	FILE *out;
	const struct axis *axis;
	size_t n;		/* curves so far */
	char plot[24576];	/* the plot command that grows with them */
};

static void add_to_plot(struct curves *curves, const char *text)
{
	strncat(curves->plot, text, sizeof(curves->plot) - strlen(curves->plot) - 1);
}

/* One curve with intervals; what is an enum metric, or -1 for the ratio. */
static void add_curve(struct curves *curves, const struct summary *run,
		      const struct findings *findings, int what, const char *title, bool dashed)
{
	char name[16], *quoted, text[512];
	size_t quoted_len;
	FILE *quote;

	snprintf(name, sizeof(name), "d%zu", curves->n);
	if (!put_intervals(curves->out, name, curves->axis, run, findings, what))
		return;
	quote = open_memstream(&quoted, &quoted_len);
	plot_quote(quote, title);
	fclose(quote);
	snprintf(text, sizeof(text),
		 "%s $%s using ($1+%g):2:3:4 with yerrorlines lw 2 ps 0.7 pt %zu dt %d lc rgb '%s' title %s",
		 curves->n ? "," : "plot", name, 0.03 * (double)(curves->n % 5),
		 curves->n % 2 ? 5 + curves->n : 7 + curves->n, dashed ? 2 : 1,
		 colours[curves->n % COLOURS], quoted);
	free(quoted);
	add_to_plot(curves, text);
	curves->n++;
}

static void add_curves(struct curves *curves, const struct summary *runs,
		       const struct findings *findings, size_t n_runs, int what, const char *name)
{
	char title[200];
	size_t r;

	for (r = 0; r < n_runs; r++) {
		if (n_runs > 1)
			snprintf(title, sizeof(title), "%s, %s", name, runs[r].name);
		else
			snprintf(title, sizeof(title), "%s", name);
		add_curve(curves, &runs[r], &findings[r], what, title,
			  what == METRIC_RECEIVER_PPS || what == METRIC_EVENTS_PER_PACKET ||
				  what == METRIC_RECEIVER_CPU_US);
	}
}

/* 1/rate, what a driver that signals every rate-th packet cannot fall below for long. */
static void add_one_over_rate(struct curves *curves)
{
	const struct axis *axis = curves->axis;
	long rate;
	size_t i;

	fputs("$bound << EOD\n", curves->out);
	for (i = 0; i < axis->n; i++)
		if (!knob_parse_rate(axis->labels[i], 0, &rate))
			fprintf(curves->out, "%zu %.6g\n", i, 1.0 / (double)rate);
	fputs("EOD\n", curves->out);
	add_to_plot(curves, ", $bound using 1:2 with lines dt 3 lw 1 lc rgb 'gray' title '1/rate'");
}

/* Mean share of a part of the loss at a point, in percent of the packets sent; NAN if not known. */
static double lost_share(const struct summary_point *point, const char *part)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < point->n; i++) {
		const json_t *end = json_object_get(json_object_get(point->repeats[i], "result"), "end");
		const json_t *lost = json_object_get(json_object_get(end, "loss"), part);
		const json_t *sent = json_object_get(json_object_get(end, "sum_sent"), "packets");

		if (!json_is_integer(lost) || !json_is_integer(sent))
			return NAN;
		sum += 100 * sweep_stats_ratio(json_number_value(lost), json_number_value(sent));
	}
	return point->n ? sum / (double)point->n : NAN;
}

static void lost_where(FILE *out, const struct axis *axis, const struct summary *run)
{
	const struct summary_point *point;
	bool known[LOSS_PARTS] = { false }, first = true;
	size_t i, part;

	fputs("set style data histograms\nset style histogram rowstacked\nset boxwidth 0.6\n"
	      "set style fill solid 0.85\n$lost << EOD\n", out);
	for (i = 0; i < axis->n; i++) {
		point = summary_find(run, axis->labels[i]);
		for (part = 0; part < LOSS_PARTS; part++) {
			double share = point ? lost_share(point, loss_parts[part]) : NAN;

			known[part] |= isfinite(share);
			fprintf(out, "%.6g ", isfinite(share) ? share : 0);
		}
		fputc('\n', out);
	}
	fputs("EOD\nplot ", out);
	for (part = 0; part < LOSS_PARTS; part++) {
		if (!known[part])
			continue;
		fprintf(out, "%s$lost using %zu lc rgb '%s' title '%s'", first ? "" : ", ", part + 1,
			colours[part], loss_parts[part]);
		first = false;
	}
	fputc('\n', out);
}

static const json_t *intervals_of(const struct summary_point *point)
{
	size_t i = sweep_stats_median_index(point->values[METRIC_SENDER_PPS], point->n);

	if (i == point->n)
		i = sweep_stats_median_index(point->values[METRIC_SENDER_MBIT], point->n);
	if (i == point->n)
		return NULL;
	return json_object_get(json_object_get(point->repeats[i], "result"), "intervals");
}

/* The rows of one point as datablock $tRUNxPOINT: end in seconds, rate. */
static void put_rows(FILE *out, size_t run, size_t point, const json_t *rows, bool bits)
{
	const char *key = bits ? "bits_per_second" : "packets_per_second";
	json_t *row;
	size_t i;

	fprintf(out, "$t%zux%zu << EOD\n", run, point);
	json_array_foreach(rows, i, row)
		fprintf(out, "%.6g %.6g\n",
			json_number_value(json_object_get(row, "start_seconds")) +
				json_number_value(json_object_get(row, "seconds")),
			(bits ? 1e-6 : 1) * json_number_value(json_object_get(row, key)));
	fputs("EOD\n", out);
}

/* A point has one colour in all runs, a run one dash in all points. */
static void put_time_curve(FILE *out, const struct summary *runs, size_t n_runs, size_t run,
			   size_t point, bool is_first)
{
	const char *label = runs[run].points[point].label;
	char title[200];

	if (n_runs > 1)
		snprintf(title, sizeof(title), "%s, %s", label, runs[run].name);
	else
		snprintf(title, sizeof(title), "%s", label);
	fprintf(out, "%s $t%zux%zu using 1:2 with linespoints lw 2 ps 0.5 pt %zu dt %zu lc rgb '%s' title ",
		is_first ? "plot" : ",", run, point, 5 + point, run % 5 + 1,
		colours[point % COLOURS]);
	plot_quote(out, title);
}

/* Packets, or megabits where packets were not counted, per second over seconds. */
static void time_lines(FILE *out, const struct summary *runs, size_t n_runs)
{
	bool bits = true, is_first = true;
	size_t r, p;

	for (r = 0; r < n_runs; r++)
		bits = bits && !summary_knows(&runs[r], METRIC_SENDER_PPS);
	fputs("set terminal svg size 760,380 dynamic noenhanced font 'sans-serif,13'\n"
	      "set grid\nset key outside right\nset yrange [0:*]\nset xlabel 'seconds'\n", out);
	fprintf(out, "set ylabel '%s'\n", bits ? "10^6 bit/s at the sender" :
						 "packets/s at the sender");
	for (r = 0; r < n_runs; r++)
		for (p = 0; p < runs[r].n_points; p++)
			put_rows(out, r, p, intervals_of(&runs[r].points[p]), bits);
	for (r = 0; r < n_runs; r++) {
		for (p = 0; p < runs[r].n_points; p++) {
			if (!json_array_size(intervals_of(&runs[r].points[p])))
				continue;
			put_time_curve(out, runs, n_runs, r, p, is_first);
			is_first = false;
		}
	}
	fputc('\n', out);
}

static void completions(struct curves *curves, const struct summary *runs,
			const struct findings *findings, size_t n_runs)
{
	fputs("set logscale y 2\nset yrange [*:*]\n", curves->out);
	add_curves(curves, runs, findings, n_runs, METRIC_CQES_PER_PACKET, "CQEs");
	add_curves(curves, runs, findings, n_runs, METRIC_EVENTS_PER_PACKET, "events");
	add_one_over_rate(curves);
}

/* The curves of plots that are nothing but curves. */
static const struct {
	enum plot plot;
	int what;		/* enum metric, or -1 for the ratio */
	const char *name;
} plain_curves[] = {
	{ PLOT_PPS, METRIC_SENDER_PPS, "sent" },
	{ PLOT_PPS, METRIC_RECEIVER_PPS, "received" },
	{ PLOT_RATIO, -1, "ratio" },
	{ PLOT_LOSS, METRIC_LOSS_PERCENT, "lost" },
	{ PLOT_NS, METRIC_NS_PER_PACKET, "sender" },
	{ PLOT_CPU, METRIC_SENDER_CPU_US, "sending host" },
	{ PLOT_CPU, METRIC_RECEIVER_CPU_US, "receiving host" },
};

void plot_script(FILE *out, enum plot plot, const struct summary *runs,
		 const struct findings *findings, size_t n_runs)
{
	static const char *const y_titles[PLOTS] = { "packets/s", "ratio", "lost %", "ns/packet",
						     "per packet (log scale)", "microseconds", "lost %", "" };
	struct axis axis;
	struct curves curves = { .out = out, .axis = &axis };
	size_t i;

	if (plot == PLOT_TIME) {
		time_lines(out, runs, n_runs);
		return;
	}
	axis.n = summary_labels(runs, plot == PLOT_LOST_WHERE ? 1 : n_runs, axis.labels,
				SUMMARY_MAX_LABELS);
	preamble(out, &axis, y_titles[plot]);
	if (plot == PLOT_LOST_WHERE)
		lost_where(out, &axis, &runs[0]);
	if (plot == PLOT_COMPLETIONS)
		completions(&curves, runs, findings, n_runs);
	if (plot == PLOT_RATIO)
		fputs("set yrange [*:*]\nset arrow from graph 0,first 1 to graph 1,first 1 nohead "
		      "dt 3 lc rgb 'gray'\n", out);
	for (i = 0; i < sizeof(plain_curves) / sizeof(plain_curves[0]); i++)
		if (plain_curves[i].plot == plot)
			add_curves(&curves, runs, findings, n_runs, plain_curves[i].what,
				   plain_curves[i].name);
	fprintf(out, "%s\n", curves.plot);
}

static bool any_knows(const struct summary *runs, size_t n_runs, enum metric metric)
{
	size_t r;

	for (r = 0; r < n_runs; r++)
		if (summary_knows(&runs[r], metric))
			return true;
	return false;
}

static bool has_time_lines(const struct summary *runs, size_t n_runs)
{
	size_t r, p;

	for (r = 0; r < n_runs; r++)
		for (p = 0; p < runs[r].n_points; p++)
			if (json_array_size(intervals_of(&runs[r].points[p])) > 1)
				return true;
	return false;
}

static bool has_lost_any(const struct summary *run)
{
	size_t p, part;

	for (p = 0; p < run->n_points; p++)
		for (part = 0; part < LOSS_PARTS; part++)
			if (lost_share(&run->points[p], loss_parts[part]) > 0)
				return true;
	return false;
}

bool report_plot_has_data(enum plot plot, const struct summary *runs, size_t n_runs)
{
	size_t r;

	switch (plot) {
	case PLOT_PPS:
		return any_knows(runs, n_runs, METRIC_SENDER_PPS);
	case PLOT_RATIO:
		for (r = 0; r < n_runs; r++)
			if (runs[r].baseline && runs[r].n_points > 1)
				return true;
		return false;
	case PLOT_LOSS:
		return any_knows(runs, n_runs, METRIC_LOSS_PERCENT);
	case PLOT_NS:
		return any_knows(runs, n_runs, METRIC_NS_PER_PACKET);
	case PLOT_CPU:
		return any_knows(runs, n_runs, METRIC_SENDER_CPU_US) ||
		       any_knows(runs, n_runs, METRIC_RECEIVER_CPU_US);
	case PLOT_COMPLETIONS:
		return any_knows(runs, n_runs, METRIC_CQES_PER_PACKET);
	case PLOT_LOST_WHERE:
		return n_runs > 0 && has_lost_any(&runs[0]);
	default:
		return has_time_lines(runs, n_runs);
	}
}
