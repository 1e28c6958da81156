// SPDX-License-Identifier: GPL-2.0-or-later
/* From figures to conclusions, each with the reason it rests on. */
#include "report_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "knob.h"
#include "report_summary.h"
#include "sweep_knob.h"
#include "sweep_stats.h"

static json_int_t round_of(const struct summary_point *point, size_t i)
{
	return json_integer_value(json_object_get(point->repeats[i], "round"));
}

/* The sender's rates of other in the rounds of point, NAN where it has none. */
static double *rates_in_rounds_of(const struct summary_point *point,
				  const struct summary_point *other)
{
	double *values = calloc(point->n + 1, sizeof(*values));
	size_t i, j;

	if (!values)
		abort();
	for (i = 0; i < point->n; i++) {
		values[i] = NAN;
		for (j = 0; j < other->n; j++)
			if (round_of(other, j) == round_of(point, i))
				values[i] = other->values[METRIC_SENDER_PPS][j];
	}
	return values;
}

static void compare_with_baseline(struct findings *findings)
{
	const struct summary *summary = findings->summary;
	double *p = calloc(summary->n_points + 1, sizeof(*p)), *base;
	struct finding *finding;
	size_t i;

	if (!p)
		abort();
	for (i = 0; i < summary->n_points; i++) {
		finding = &findings->points[i];
		finding->ratio = (struct inference_interval){ NAN, NAN, NAN, NAN };
		if (summary->baseline && finding->point != summary->baseline) {
			base = rates_in_rounds_of(finding->point, summary->baseline);
			finding->ratio = inference_paired_ratio(
				finding->point->values[METRIC_SENDER_PPS], base, finding->point->n);
			free(base);
		}
		p[i] = finding->ratio.p_value;
	}
	inference_adjust(p, summary->n_points);
	for (i = 0; i < summary->n_points; i++) {
		finding = &findings->points[i];
		finding->p_adjusted = p[i];
		if (!isfinite(p[i]))
			finding->difference = DIFFERENCE_UNKNOWN;
		else if (p[i] > 1 - INFERENCE_CONFIDENCE)
			finding->difference = DIFFERENCE_NOT_SHOWN;
		else
			finding->difference = finding->ratio.estimate > 1 ? DIFFERENCE_FASTER :
									    DIFFERENCE_SLOWER;
	}
	free(p);
}

static const struct summary_point *point_of(const struct summary *summary, const json_t *repeat)
{
	const char *label = json_string_value(json_object_get(repeat, "point"));
	size_t i;

	for (i = 0; label && i < summary->n_points; i++)
		if (!strcmp(summary->points[i].full_label, label))
			return &summary->points[i];
	return NULL;
}

/* The repeated baseline in the order it ran, by its own median; checks are few but alike. */
static struct inference_interval drift_of_checks(const json_t *checks)
{
	double *rates = calloc(json_array_size(checks) + 1, sizeof(*rates)), median;
	double values[METRICS];
	struct inference_interval drift;
	json_t *check;
	size_t i;

	if (!rates)
		abort();
	json_array_foreach(checks, i, check) {
		summary_metrics(check, values);
		rates[i] = values[METRIC_SENDER_PPS];
	}
	median = sweep_stats_median(rates, json_array_size(checks));
	for (i = 0; i < json_array_size(checks); i++)
		rates[i] = sweep_stats_ratio(rates[i], median);
	drift = inference_drift(rates, json_array_size(checks));
	free(rates);
	return drift;
}

/* Every repeat in the order it ran, relative to the median of its point. */
static struct inference_interval drift_of_repeats(const struct summary *summary)
{
	const json_t *repeats = json_object_get(summary->run, "repeats");
	double *relative = calloc(json_array_size(repeats) + 1, sizeof(*relative));
	double values[METRICS];
	struct inference_interval drift;
	const struct summary_point *point;
	json_t *repeat;
	size_t i;

	if (!relative)
		abort();
	json_array_foreach(repeats, i, repeat) {
		point = point_of(summary, repeat);
		summary_metrics(repeat, values);
		/* The only repeat of a point is its own median and says nothing. */
		relative[i] = !point || point->n < 2 ? NAN :
			sweep_stats_ratio(values[METRIC_SENDER_PPS],
					  point->median[METRIC_SENDER_PPS]);
	}
	drift = inference_drift(relative, json_array_size(repeats));
	free(relative);
	return drift;
}

static void find_drift(struct findings *findings)
{
	const json_t *checks = json_object_get(findings->summary->run, "drift_checks");

	if (json_array_size(checks) < 3) {
		findings->drift = drift_of_repeats(findings->summary);
		return;
	}
	findings->n_drift_checks = json_array_size(checks);
	findings->drift = drift_of_checks(checks);
}

static bool is_rate(const struct summary_point *point, long *rate)
{
	return !knob_parse_rate(point->label, 0, rate);
}

/* Loss added over the baseline, in points of percent; NAN if one of them was not measured. */
static double added_loss(const struct summary *summary, const struct summary_point *point)
{
	if (!summary->baseline)
		return NAN;
	return point->median[METRIC_LOSS_PERCENT] -
	       summary->baseline->median[METRIC_LOSS_PERCENT];
}

static bool loses_too_much(const struct summary *summary, const struct summary_point *point)
{
	return added_loss(summary, point) > FINDINGS_LOSS_LIMIT;	/* false for NAN */
}

static const struct summary_point *best_allowed(const struct summary *summary)
{
	const struct summary_point *point, *best = NULL;
	size_t i;
	long rate;

	for (i = 0; i < summary->n_points; i++) {
		point = &summary->points[i];
		if (!is_rate(point, &rate) || loses_too_much(summary, point) ||
		    !isfinite(point->median[METRIC_SENDER_PPS]))
			continue;
		if (!best || point->median[METRIC_SENDER_PPS] > best->median[METRIC_SENDER_PPS])
			best = point;
	}
	return best;
}

/* The smallest allowed rate that is nearly as fast as best. */
static const struct summary_point *smallest_near(const struct summary *summary,
						 const struct summary_point *best)
{
	const struct summary_point *point, *found = best;
	long rate, found_rate;
	size_t i;

	for (i = 0; i < summary->n_points; i++) {
		point = &summary->points[i];
		is_rate(found, &found_rate);
		if (is_rate(point, &rate) && rate < found_rate &&
		    !loses_too_much(summary, point) &&
		    point->median[METRIC_SENDER_PPS] >=
			    FINDINGS_ENOUGH * best->median[METRIC_SENDER_PPS])
			found = point;
	}
	return found;
}

static bool any_rate_is_faster(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->summary->n_points; i++)
		if (findings->points[i].difference == DIFFERENCE_FASTER)
			return true;
	return false;
}

/* Names the rates that were left out because of their loss; "" if none. */
static void name_losers(const struct summary *summary, char *text, size_t text_len)
{
	size_t i, used = 0;
	long rate;

	text[0] = '\0';
	for (i = 0; i < summary->n_points && used < text_len - 40; i++)
		if (is_rate(&summary->points[i], &rate) &&
		    loses_too_much(summary, &summary->points[i]))
			used += (size_t)snprintf(text + used, text_len - used, "%s%ld",
						 used ? ", " : "; left out for more loss: ", rate);
}

/* Only of what defers completions is less better than more that is no faster. */
static bool varies_rate(const struct summary *summary)
{
	static const char *const names[] = { KNOB_NAME, "signal-rate", "ethtool:tx-frames" };
	const char *knob = summary_knob(summary);
	size_t i;

	for (i = 0; knob && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(knob, names[i]))
			return true;
	return false;
}

static void recommend(struct findings *findings)
{
	const struct summary *summary = findings->summary;
	const struct summary_point *best = best_allowed(summary), *choice, *one;
	char losers[120], loss[80] = "loss was not measured";
	double added;

	if (!best || !varies_rate(summary))
		return;
	one = summary_find(summary, "1");
	if (findings_have_intervals(findings) && one && !any_rate_is_faster(findings)) {
		findings->recommended = one;
		snprintf(findings->reason, sizeof(findings->reason),
			 "no rate is shown to be faster than %s%s",
			 strcmp(summary->baseline->label, SWEEP_UNPATCHED) ? "rate " : "",
			 summary->baseline->label);
		return;
	}
	choice = smallest_near(summary, best);
	added = added_loss(summary, choice);
	if (isfinite(added))
		snprintf(loss, sizeof(loss), "loss %+.2f points of percent (limit %+.2f)", added,
			 FINDINGS_LOSS_LIMIT);
	name_losers(summary, losers, sizeof(losers));
	findings->recommended = choice;
	snprintf(findings->reason, sizeof(findings->reason),
		 "smallest rate within %.0f %% of the best sender rate (%.0f packets/s at %s); %s%s",
		 100 * (1 - FINDINGS_ENOUGH), best->median[METRIC_SENDER_PPS], best->label, loss,
		 losers);
}

void findings_init(struct findings *findings, const struct summary *summary)
{
	struct finding *finding;
	size_t i;

	memset(findings, 0, sizeof(*findings));
	findings->summary = summary;
	findings->points = calloc(summary->n_points + 1, sizeof(*findings->points));
	if (!findings->points)
		abort();
	for (i = 0; i < summary->n_points; i++) {
		finding = &findings->points[i];
		finding->point = &summary->points[i];
		finding->mean = inference_mean(finding->point->values[METRIC_SENDER_PPS],
					       finding->point->n);
		finding->is_outlier = calloc(finding->point->n + 1, sizeof(bool));
		if (!finding->is_outlier)
			abort();
		inference_outliers(finding->point->values[METRIC_SENDER_PPS], finding->point->n,
				   finding->is_outlier);
	}
	compare_with_baseline(findings);
	find_drift(findings);
	recommend(findings);
}

void findings_free(struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->summary->n_points; i++)
		free(findings->points[i].is_outlier);
	free(findings->points);
	memset(findings, 0, sizeof(*findings));
}

double findings_widest_percent(const struct findings *findings, const char **label)
{
	const struct inference_interval *interval;
	double width, widest = 0;
	size_t i;

	for (i = 0; i < findings->summary->n_points; i++) {
		if (findings->points[i].point == findings->summary->baseline &&
		    findings->summary->n_points > 1)
			continue;
		interval = findings->summary->baseline && findings->summary->n_points > 1 ?
				   &findings->points[i].ratio : &findings->points[i].mean;
		width = 50 * (interval->high - interval->low) / interval->estimate;
		if (!isfinite(width))
			width = INFINITY;
		if (width >= widest) {
			widest = width;
			*label = findings->points[i].point->label;
		}
	}
	return widest;
}

const char *findings_word(enum difference difference)
{
	static const char *const words[] = {
		[DIFFERENCE_UNKNOWN] = "-",
		[DIFFERENCE_NOT_SHOWN] = "not shown",
		[DIFFERENCE_FASTER] = "faster",
		[DIFFERENCE_SLOWER] = "slower",
	};

	return words[difference];
}

bool findings_have_intervals(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->summary->n_points; i++)
		if (isfinite(findings->points[i].mean.low))
			return true;
	return false;
}
