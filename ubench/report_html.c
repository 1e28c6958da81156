// SPDX-License-Identifier: GPL-2.0-or-later
/* The report people open: the answer first, then tables, plots, and everything that was recorded. */
#include "report_html.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "report.h"
#include "report_columns.h"
#include "report_findings.h"
#include "report_plot.h"
#include "report_style.h"
#include "report_summary.h"

struct page {
	FILE *out;
	const char *title;
	size_t n;
	struct summary *runs;
	struct findings *findings;
};

static void put(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

/* <tag>text</tag> */
static void element(FILE *out, const char *tag, const char *text)
{
	fprintf(out, "<%s>", tag);
	put(out, text);
	fprintf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void number_cell(FILE *out, double value, int decimals)
{
	char text[48];

	element(out, "td", report_figure_text(value, decimals, text, sizeof(text)));
}

static void begin_table(FILE *out, const char *caption, const char *first_column)
{
	fputs("<div class=\"scroll\"><table>\n", out);
	element(out, "caption", caption);
	fputs("<thead><tr>", out);
	element(out, "th scope=\"col\"", first_column);
}

static void end_table(FILE *out)
{
	fputs("</tbody></table></div>\n", out);
}

static void summary_table(FILE *out, const struct summary *summary)
{
	size_t i;
	int c;

	begin_table(out, "Medians of the repeats; ratio to the baseline; spread: (largest - smallest) / "
		    "median of the sender rate", report_point_title(summary));
	for (c = 0; c < REPORT_COLUMNS; c++)
		if (report_column_is_shown(summary, &report_columns[c]))
			element(out, "th scope=\"col\"", report_columns[c].title);
	fputs("</tr></thead><tbody>\n", out);
	for (i = 0; i < summary->n_points; i++) {
		fputs("<tr>", out);
		element(out, "th scope=\"row\"", summary->points[i].label);
		for (c = 0; c < REPORT_COLUMNS; c++)
			if (report_column_is_shown(summary, &report_columns[c]))
				number_cell(out, report_figure(&summary->points[i], &report_columns[c]),
					    report_columns[c].decimals);
		fputs("</tr>\n", out);
	}
	end_table(out);
}

/* All runs, or all slices of a grid, side by side. */
static void compared_table(const struct page *page)
{
	const char *labels[SUMMARY_MAX_LABELS];
	const struct summary_point *point;
	FILE *out = page->out;
	size_t n = summary_labels(page->runs, page->n, labels, SUMMARY_MAX_LABELS), i, r;
	char text[64];

	if (page->n < 2)
		return;
	begin_table(out, "Sender packets per second, and ratio to the baseline of each run",
		    report_point_title(&page->runs[0]));
	for (r = 0; r < page->n; r++)
		element(out, "th scope=\"col\"", page->runs[r].slice_knob ?
			strstr(page->runs[r].name, page->runs[r].slice_knob) : page->runs[r].name);
	fputs("</tr></thead><tbody>\n", out);
	for (i = 0; i < n; i++) {
		fputs("<tr>", out);
		element(out, "th scope=\"row\"", labels[i]);
		for (r = 0; r < page->n; r++) {
			point = summary_find(&page->runs[r], labels[i]);
			if (point && isfinite(point->ratio))
				snprintf(text, sizeof(text), "%.0f (%.3f)",
					 point->median[METRIC_SENDER_PPS], point->ratio);
			else
				report_figure_text(point ? point->median[METRIC_SENDER_PPS] : NAN,
						   0, text, sizeof(text));
			element(out, "td", text);
		}
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static void interval_cells(FILE *out, const struct inference_interval *interval, int decimals)
{
	number_cell(out, interval->estimate, decimals);
	if (isfinite(interval->low))
		fprintf(out, "<td>%.*f to %.*f</td>", decimals, interval->low, decimals,
			interval->high);
	else
		fputs("<td>-</td>", out);
}

static void findings_table(FILE *out, const struct findings *findings)
{
	static const char *const titles[] = { "mean PPS", "95 % interval", "paired ratio",
					      "95 % interval", "p (Holm)", "difference", NULL };
	const struct finding *finding;
	char p_text[24];
	size_t i;

	if (!findings_have_intervals(findings))
		return;
	begin_table(out, "Sender rate: intervals, and differences to the baseline paired by round",
		    report_point_title(findings->summary));
	for (i = 0; titles[i]; i++)
		element(out, "th scope=\"col\"", titles[i]);
	fputs("</tr></thead><tbody>\n", out);
	for (i = 0; i < findings->summary->n_points; i++) {
		finding = &findings->points[i];
		fputs("<tr>", out);
		element(out, "th scope=\"row\"", finding->point->label);
		interval_cells(out, &finding->mean, 0);
		interval_cells(out, &finding->ratio, 4);
		element(out, "td", findings_p_text(finding->p_adjusted, p_text, sizeof(p_text)));
		element(out, "td class=\"word\"", findings_word(finding->difference));
		fputs("</tr>\n", out);
	}
	end_table(out);
}

/* Drift, outliers and the recommendation, as the terminal shows them. */
static void conclusions(FILE *out, const struct findings *findings)
{
	char *text, *line, *next;
	size_t len;
	FILE *lines = open_memstream(&text, &len);

	if (!lines)
		return;
	findings_print_conclusions(lines, findings);
	fclose(lines);
	for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		element(out, strncmp(line, "Recommended", 11) ? "p" : "p class=\"answer\"", line);
		fputc('\n', out);
	}
	free(text);
}

static void put_words(FILE *out, const json_t *words)
{
	json_t *word;
	size_t i;

	json_array_foreach(words, i, word) {
		fputs(i ? " " : "", out);
		put(out, json_is_string(word) ? json_string_value(word) : "");
	}
}

static void origin(FILE *out, const struct summary *summary)
{
	const json_t *start = json_object_get(summary->run, "start");
	const char *utc = json_string_value(json_object_get(start, "utc"));
	const char *host = json_string_value(json_object_get(start, "host"));
	const char *kernel = json_string_value(
		json_object_get(json_object_get(start, "environment"), "kernel"));

	fputs("<p><small>", out);
	if (utc)
		put(out, utc);
	if (host && *host) {
		fputs(", host ", out);
		put(out, host);
	}
	if (kernel) {
		fputs(", Linux ", out);
		put(out, kernel);
	}
	if (json_array_size(json_object_get(start, "test"))) {
		fputs(", test: <code>", out);
		put_words(out, json_object_get(start, "test"));
		fputs("</code>", out);
	}
	fputs("</small></p>\n", out);
}

static void repeats_table(FILE *out, const struct summary *summary, const json_t *repeats,
			  const char *caption)
{
	static const enum metric shown[] = { METRIC_SENDER_PPS, METRIC_RECEIVER_PPS,
					     METRIC_LOSS_PERCENT, METRIC_CQES_PER_PACKET,
					     METRIC_EVENTS_PER_PACKET, METRIC_SENDER_CPU_US,
					     METRIC_RECEIVER_CPU_US };
	static const int decimals[] = { 0, 0, 3, 4, 4, 2, 2 };
	double values[METRICS];
	const char *label;
	json_t *repeat;
	size_t i, m;

	if (!json_array_size(repeats))
		return;
	begin_table(out, caption, report_point_title(summary));
	element(out, "th scope=\"col\"", "round");
	for (m = 0; m < sizeof(shown) / sizeof(shown[0]); m++)
		element(out, "th scope=\"col\"", metric_names[shown[m]]);
	fputs("</tr></thead><tbody>\n", out);
	json_array_foreach(repeats, i, repeat) {
		label = json_string_value(json_object_get(repeat, "point"));
		fputs("<tr>", out);
		element(out, "th scope=\"row\"", label ? label : "");
		number_cell(out, json_number_value(json_object_get(repeat, "round")), 0);
		summary_metrics(repeat, values);
		for (m = 0; m < sizeof(shown) / sizeof(shown[0]); m++)
			number_cell(out, values[shown[m]], decimals[m]);
		fputs("</tr>\n", out);
	}
	end_table(out);
}

static void details(FILE *out, const struct summary *summary)
{
	char *text = json_dumps(json_object_get(summary->run, "start"),
				JSON_INDENT(1) | JSON_PRESERVE_ORDER);

	fputs("<details><summary>Every repeat</summary>\n", out);
	repeats_table(out, summary, json_object_get(summary->run, "repeats"),
		      "Every repeat in the order it ran");
	repeats_table(out, summary, json_object_get(summary->run, "drift_checks"),
		      "The baseline between the rounds, to see whether the host drifts");
	fputs("</details>\n<details><summary>Command line, notes and environment</summary><pre>", out);
	put(out, text ? text : "");
	fputs("</pre></details>\n", out);
	free(text);
}

/* One drawing of n runs; named when it shows one of several. */
static int figure(const struct page *page, enum plot plot, size_t first, size_t n)
{
	char caption[320];
	int err;

	if (!report_plot_has_data(plot, &page->runs[first], n))
		return 0;
	snprintf(caption, sizeof(caption), "%s%s%s", report_plot_caption(plot),
		 n < page->n ? ": " : "", n < page->n ? page->runs[first].name : "");
	fputs("<figure>\n", page->out);
	element(page->out, "figcaption", caption);
	fputc('\n', page->out);
	err = report_plot_svg(page->out, plot, first, &page->runs[first], &page->findings[first], n);
	fputs("</figure>\n", page->out);
	return err;
}

/* Curves of all runs lie over each other; stacks cannot. */
static int figures(const struct page *page)
{
	size_t r, step;
	int err = 0, plot;

	for (plot = 0; plot < PLOTS && !err; plot++) {
		step = plot == PLOT_LOST_WHERE ? 1 : page->n;
		for (r = 0; r < page->n && !err; r += step)
			err = figure(page, plot, r, step);
	}
	return err;
}

static int write_page(const struct page *page)
{
	FILE *out = page->out;
	size_t r;
	int err;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", out);
	put(out, page->title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", report_style);
	element(out, "h1", page->title);
	origin(out, &page->runs[0]);
	compared_table(page);
	if (page->runs[0].slice_knob)
		element(out, "h2", page->runs[0].name);
	conclusions(out, &page->findings[0]);
	summary_table(out, &page->runs[0]);
	findings_table(out, &page->findings[0]);
	element(out, "h2", "Figures");
	err = figures(page);
	for (r = 1; r < page->n; r++) {
		element(out, "h2", page->runs[r].name);
		origin(out, &page->runs[r]);
		conclusions(out, &page->findings[r]);
		summary_table(out, &page->runs[r]);
		findings_table(out, &page->findings[r]);
	}
	element(out, "h2", "What was recorded");
	details(out, &page->runs[0]);
	fputs("</main>\n</body>\n</html>\n", out);
	return err;
}

static int write_file(struct page *page, const char *path)
{
	char *temporary;
	int err;

	if (asprintf(&temporary, "%s.part", path) < 0)
		return -ENOMEM;
	page->out = fopen(temporary, "we");
	err = page->out ? write_page(page) : -errno;
	if (page->out && fclose(page->out) && !err)
		err = -EIO;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
	free(temporary);
	return err;
}

/* A summary of each slice of each run. */
static void fill(struct page *page, const struct report_runs *runs)
{
	size_t r, slice;

	for (r = 0; r < runs->n; r++) {
		for (slice = 0; slice < summary_slices(runs->docs[r]) &&
				page->n < SUMMARY_MAX_SLICES; slice++) {
			summary_init_slice(&page->runs[page->n], runs->docs[r], runs->names[r], slice);
			findings_init(&page->findings[page->n], &page->runs[page->n]);
			page->n++;
		}
	}
}

int report_html(const char *path, const struct report_runs *runs, char *why, size_t why_len)
{
	struct page page = { .title = runs->names[0] };
	size_t r;
	int err;

	page.runs = calloc(SUMMARY_MAX_SLICES, sizeof(*page.runs));
	page.findings = calloc(SUMMARY_MAX_SLICES, sizeof(*page.findings));
	if (!page.runs || !page.findings)
		abort();
	fill(&page, runs);
	err = write_file(&page, path);
	for (r = 0; r < page.n; r++) {
		findings_free(&page.findings[r]);
		summary_free(&page.runs[r]);
	}
	free(page.runs);
	free(page.findings);
	if (err == -ENOENT)
		snprintf(why, why_len, "cannot write %s: the directory or gnuplot (gnuplot-nox) is missing",
			 path);
	else if (err)
		snprintf(why, why_len, "cannot write %s: %s", path, strerror(-err));
	return err ? -1 : 0;
}
