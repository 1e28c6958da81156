// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings as text and as JSON. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <jansson.h>
#include <libsmartcols.h>

#include "report_columns.h"
#include "report_findings.h"
#include "report_summary.h"

static void set_text(struct libscols_line *line, size_t cell, double value, const char *text)
{
	scols_line_set_data(line, cell, isfinite(value) ? text : "-");
}

const char *findings_p_text(double p, char *buf, size_t buf_len)
{
	if (!isfinite(p))
		snprintf(buf, buf_len, "-");
	else if (p < 0.0001)
		snprintf(buf, buf_len, "<0.0001");
	else
		snprintf(buf, buf_len, "%.4f", p);
	return buf;
}

static void add_line(struct libscols_table *table, const struct finding *finding)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[64];

	scols_line_set_data(line, 0, finding->point->label);
	snprintf(text, sizeof(text), "%.0f", finding->mean.estimate);
	set_text(line, 1, finding->mean.estimate, text);
	snprintf(text, sizeof(text), "%.0f..%.0f", finding->mean.low, finding->mean.high);
	set_text(line, 2, finding->mean.low, text);
	snprintf(text, sizeof(text), "%.4f", finding->ratio.estimate);
	set_text(line, 3, finding->ratio.estimate, text);
	snprintf(text, sizeof(text), "%.4f..%.4f", finding->ratio.low, finding->ratio.high);
	set_text(line, 4, finding->ratio.low, text);
	scols_line_set_data(line, 5, findings_p_text(finding->p_adjusted, text, sizeof(text)));
	scols_line_set_data(line, 6, findings_word(finding->difference));
}

static int print_intervals(FILE *out, const struct findings *findings)
{
	static const char *const titles[] = { "mean PPS", "95 % interval", "paired ratio",
					      "95 % interval", "p (Holm)", "difference" };
	struct libscols_table *table = scols_new_table();
	size_t i;

	if (!table)
		return -ENOMEM;
	scols_table_set_stream(table, out);
	scols_table_new_column(table, report_point_title(findings->summary), 0, 0);
	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		scols_table_new_column(table, titles[i], 0, i == 5 ? 0 : SCOLS_FL_RIGHT);
	for (i = 0; i < findings->summary->n_points; i++)
		add_line(table, &findings->points[i]);
	scols_print_table(table);
	scols_unref_table(table);
	return 0;
}

/* Over a grid there is one; its first slice tells it. */
static void print_drift(FILE *out, const struct findings *findings)
{
	const struct inference_interval *drift = &findings->drift;

	if (!isfinite(drift->low) || findings->summary->slice)
		return;
	if (findings->n_drift_checks)
		fprintf(out, "Drift of the baseline, run %zu times over the sweep", findings->n_drift_checks);
	else
		fputs("Drift of the sender rate over the sweep", out);
	fprintf(out, ": %+.2f %% (95 %%: %+.2f..%+.2f): %s.\n",
		100 * drift->estimate, 100 * drift->low, 100 * drift->high,
		drift->p_value > 1 - INFERENCE_CONFIDENCE ?
			"not shown" : "the host changed while it was measured");
}

static void print_outliers(FILE *out, const struct findings *findings)
{
	const struct summary_point *point;
	size_t p, i;

	for (p = 0; p < findings->summary->n_points; p++) {
		point = findings->points[p].point;
		for (i = 0; i < point->n; i++)
			if (findings->points[p].is_outlier[i])
				fprintf(out, "Outlier, kept: %s, repeat %zu, %.0f packets/s.\n",
					point->label, i + 1, point->values[METRIC_SENDER_PPS][i]);
	}
}

int findings_print(FILE *out, const struct findings *findings)
{
	int err = findings_have_intervals(findings) ? print_intervals(out, findings) : 0;

	findings_print_conclusions(out, findings);
	return err;
}

void findings_print_conclusions(FILE *out, const struct findings *findings)
{
	if (findings_have_intervals(findings)) {
		print_drift(out, findings);
		print_outliers(out, findings);
	}
	if (findings->recommended)
		fprintf(out, "Recommended: %s %s%s%s%s%s: %s.\n", summary_knob(findings->summary),
			findings->recommended->label, findings->summary->slice_knob ? " at " : "",
			findings->summary->slice_knob ? findings->summary->slice_knob : "",
			findings->summary->slice_knob ? " " : "",
			findings->summary->slice_knob ? findings->summary->slice_value : "",
			findings->reason);
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_to_json(const struct inference_interval *interval)
{
	return json_pack("{s:o, s:o, s:o}", "estimate", real_or_null(interval->estimate), "low",
			 real_or_null(interval->low), "high", real_or_null(interval->high));
}

static json_t *finding_to_json(const struct finding *finding)
{
	json_t *outliers = json_array();
	size_t i;

	for (i = 0; i < finding->point->n; i++)
		if (finding->is_outlier[i])
			json_array_append_new(outliers, json_integer((json_int_t)i + 1));
	return json_pack("{s:s, s:o, s:o, s:o, s:s, s:o}", "point", finding->point->full_label,
			 "mean_sender_pps", interval_to_json(&finding->mean), "ratio_to_baseline",
			 interval_to_json(&finding->ratio), "p_adjusted",
			 real_or_null(finding->p_adjusted), "difference",
			 findings_word(finding->difference), "outlier_repeats", outliers);
}

/* What is recommended at each value of the second knob. */
static json_t *slices_to_json(const struct findings *slices, size_t n)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_array_append_new(array, json_pack("{s:s, s:s, s:s?, s:s?}", "knob",
			slices[i].summary->slice_knob, "value", slices[i].summary->slice_value,
			"recommended", slices[i].recommended ? slices[i].recommended->label : NULL,
			"reason", slices[i].recommended ? slices[i].reason : NULL));
	return array;
}

json_t *findings_to_json(const struct findings *slices, size_t n)
{
	const struct summary *first = slices[0].summary;
	const struct summary_point *recommended = n == 1 ? slices[0].recommended : NULL;
	json_t *points = json_array(), *object;
	size_t i, p;

	for (i = 0; i < n; i++)
		for (p = 0; p < slices[i].summary->n_points; p++)
			json_array_append_new(points, finding_to_json(&slices[i].points[p]));
	object = json_pack("{s:s?, s:f, s:o, s:o, s:i, s:s?, s:s?}", "baseline",
			   first->baseline ? first->baseline->label : NULL, "confidence",
			   INFERENCE_CONFIDENCE, "points", points, "drift",
			   interval_to_json(&slices[0].drift), "drift_checks",
			   (int)slices[0].n_drift_checks, "recommended",
			   recommended ? recommended->label : NULL, "reason",
			   recommended ? slices[0].reason : NULL);
	if (n > 1)
		json_object_set_new(object, "slices", slices_to_json(slices, n));
	return object;
}
