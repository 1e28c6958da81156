// SPDX-License-Identifier: GPL-2.0-or-later
/* From raw repeats to one row a point; a stored run and a fresh one take the same way. */
#include "report_summary.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "knob.h"
#include "sweep_plan.h"
#include "sweep_stats.h"

const char *const metric_names[METRICS] = {
	[METRIC_SENDER_PPS] = "sender_pps",
	[METRIC_RECEIVER_PPS] = "receiver_pps",
	[METRIC_SENDER_MBIT] = "sender_mbit_s",
	[METRIC_RECEIVER_MBIT] = "receiver_mbit_s",
	[METRIC_LOSS_PERCENT] = "loss_percent",
	[METRIC_CQES_PER_PACKET] = "cqes_per_packet",
	[METRIC_EVENTS_PER_PACKET] = "events_per_packet",
	[METRIC_DOORBELLS_PER_PACKET] = "doorbells_per_packet",
	[METRIC_NS_PER_PACKET] = "ns_per_packet",
};

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

void summary_metrics(const json_t *repeat, double values[METRICS])
{
	const json_t *end = json_object_get(json_object_get(repeat, "result"), "end");
	const json_t *sent = json_object_get(end, "sum_sent");
	const json_t *received = json_object_get(end, "sum_received");
	const json_t *counters = json_object_get(repeat, "counters");
	double wrs = number(counters, "tx_wrs");
	double packets = number(sent, "packets"), lost = number(received, "lost_packets");

	values[METRIC_SENDER_PPS] = sweep_stats_ratio(packets, number(sent, "seconds"));
	values[METRIC_RECEIVER_PPS] =
		sweep_stats_ratio(number(received, "packets"), number(received, "seconds"));
	values[METRIC_SENDER_MBIT] =
		8e-6 * sweep_stats_ratio(number(sent, "bytes"), number(sent, "seconds"));
	values[METRIC_RECEIVER_MBIT] =
		8e-6 * sweep_stats_ratio(number(received, "bytes"), number(received, "seconds"));
	values[METRIC_LOSS_PERCENT] = 100 * sweep_stats_ratio(lost, packets);
	values[METRIC_CQES_PER_PACKET] = sweep_stats_ratio(number(counters, "tx_cqes"), wrs);
	values[METRIC_EVENTS_PER_PACKET] = sweep_stats_ratio(number(counters, "tx_events"), wrs);
	values[METRIC_DOORBELLS_PER_PACKET] =
		sweep_stats_ratio(number(counters, "tx_doorbells"), wrs);
	values[METRIC_NS_PER_PACKET] = 1e9 * sweep_stats_ratio(number(sent, "seconds"), packets);
}

static int point_init(struct summary_point *point, const json_t *repeats, const char *label)
{
	size_t i, total = json_array_size(repeats);
	double values[METRICS];
	json_t *repeat;
	int m;

	point->label = label;
	point->repeats = calloc(total + 1, sizeof(*point->repeats));
	if (!point->repeats)
		return -ENOMEM;
	for (m = 0; m < METRICS; m++) {
		point->values[m] = calloc(total + 1, sizeof(double));
		if (!point->values[m])
			return -ENOMEM;
	}
	json_array_foreach(repeats, i, repeat) {
		const char *its = json_string_value(json_object_get(repeat, "point"));

		if (!its || strcmp(its, label))
			continue;
		summary_metrics(repeat, values);
		for (m = 0; m < METRICS; m++)
			point->values[m][point->n] = values[m];
		point->repeats[point->n++] = repeat;
	}
	for (m = 0; m < METRICS; m++)
		point->median[m] = sweep_stats_median(point->values[m], point->n);
	point->spread_percent =
		sweep_stats_spread_percent(point->values[METRIC_SENDER_PPS], point->n);
	return 0;
}

static void point_free(struct summary_point *point)
{
	int m;

	for (m = 0; m < METRICS; m++)
		free(point->values[m]);
	free(point->repeats);
	memset(point, 0, sizeof(*point));
}

int summary_init(struct summary *summary, const json_t *run, const char *name)
{
	const json_t *labels = json_object_get(json_object_get(run, "plan"), "points");
	const json_t *repeats = json_object_get(run, "repeats");
	struct summary_point *point;
	json_t *label;
	size_t i;
	int err;

	memset(summary, 0, sizeof(*summary));
	if (!json_is_array(labels) || !json_is_array(repeats))
		return -EINVAL;
	summary->run = run;
	snprintf(summary->name, sizeof(summary->name), "%s", name);
	summary->points = calloc(json_array_size(labels) + 1, sizeof(*summary->points));
	if (!summary->points)
		return -ENOMEM;
	json_array_foreach(labels, i, label) {
		point = &summary->points[summary->n_points];
		err = json_is_string(label) ? point_init(point, repeats, json_string_value(label))
					    : -EINVAL;
		if (!err && point->n)
			summary->n_points++;
		else
			point_free(point);
		if (err) {
			summary_free(summary);
			return err;
		}
	}
	summary->baseline = summary_find(summary, SWEEP_UNPATCHED);
	if (!summary->baseline)
		summary->baseline = summary_find(summary, "1");
	for (i = 0; i < summary->n_points; i++)
		summary->points[i].ratio = !summary->baseline ? NAN :
			sweep_stats_ratio(summary->points[i].median[METRIC_SENDER_PPS],
					  summary->baseline->median[METRIC_SENDER_PPS]);
	return 0;
}

void summary_free(struct summary *summary)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++)
		point_free(&summary->points[i]);
	free(summary->points);
	memset(summary, 0, sizeof(*summary));
}

const struct summary_point *summary_find(const struct summary *summary, const char *label)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++)
		if (!strcmp(summary->points[i].label, label))
			return &summary->points[i];
	return NULL;
}

/* unpatched first, then rates from small to large; other labels keep their order behind. */
static long label_rank(const char *label)
{
	long rate;

	if (!strcmp(label, SWEEP_UNPATCHED))
		return 0;
	return knob_parse_rate(label, 0, &rate) ? LONG_MAX : rate;
}

size_t summary_labels(const struct summary *runs, size_t n_runs, const char **labels,
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

const char *summary_knob(const struct summary *summary)
{
	return json_string_value(json_object_get(json_object_get(summary->run, "start"), "knob"));
}

int summary_knows(const struct summary *summary, enum metric metric)
{
	size_t i;

	for (i = 0; i < summary->n_points; i++)
		if (isfinite(summary->points[i].median[metric]))
			return 1;
	return 0;
}

double summary_ratio_to_unpatched(const struct summary *summary, const struct summary_point *point)
{
	const struct summary_point *base = summary->baseline;

	return base && !strcmp(base->label, SWEEP_UNPATCHED) ? point->ratio : NAN;
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *summary_to_json(const struct summary *summary)
{
	json_t *array = json_array(), *object;
	const struct summary_point *point;
	size_t i;
	int m;

	for (i = 0; i < summary->n_points; i++) {
		point = &summary->points[i];
		object = json_object();
		json_object_set_new(object, "point", json_string(point->label));
		json_object_set_new(object, "repeats", json_integer((json_int_t)point->n));
		for (m = 0; m < METRICS; m++)
			json_object_set_new(object, metric_names[m],
					    real_or_null(point->median[m]));
		json_object_set_new(object, "ratio_to_unpatched",
				    real_or_null(summary_ratio_to_unpatched(summary, point)));
		json_object_set_new(object, "spread_percent", real_or_null(point->spread_percent));
		json_array_append_new(array, object);
	}
	return array;
}
