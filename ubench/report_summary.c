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
#include "sweep_knob.h"
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
	[METRIC_SENDER_CPU_US] = "sender_cpu_us_per_packet",
	[METRIC_RECEIVER_CPU_US] = "receiver_cpu_us_per_packet",
	[METRIC_SENDER_CPU_PERCENT] = "sender_cpu_percent",
	[METRIC_RECEIVER_CPU_PERCENT] = "receiver_cpu_percent",
	[METRIC_HELD_PACKETS] = "held_packets_max",
	[METRIC_HELD_USECS] = "held_usecs_max",
};

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* What the packets cost the hosts, and what the driver may hold back for it. */
static void costs(const json_t *repeat, double values[METRICS])
{
	const json_t *end = json_object_get(json_object_get(repeat, "result"), "end");
	const json_t *sender = json_object_get(end, "local_cpu");
	const json_t *receiver = json_object_get(end, "remote_cpu");
	const json_t *held = json_object_get(repeat, "held");

	values[METRIC_SENDER_CPU_US] = number(sender, "us_per_packet");
	values[METRIC_RECEIVER_CPU_US] = number(receiver, "us_per_packet");
	values[METRIC_SENDER_CPU_PERCENT] = number(sender, "utilization_percent");
	values[METRIC_RECEIVER_CPU_PERCENT] = number(receiver, "utilization_percent");
	values[METRIC_HELD_PACKETS] = number(held, "packets_max");
	values[METRIC_HELD_USECS] = number(held, "usecs_max");
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
	costs(repeat, values);
}

static int point_init(struct summary_point *point, const json_t *repeats, const char *label,
		      const char *slice_value)
{
	size_t i, total = json_array_size(repeats);
	double values[METRICS];
	json_t *repeat;
	int m;

	point->label = label;
	point->repeats = calloc(total + 1, sizeof(*point->repeats));
	if (!point->repeats || asprintf(&point->full_label, "%s%s%s", label, slice_value ? "/" : "",
					slice_value ? slice_value : "") < 0)
		return -ENOMEM;
	for (m = 0; m < METRICS; m++) {
		point->values[m] = calloc(total + 1, sizeof(double));
		if (!point->values[m])
			return -ENOMEM;
	}
	json_array_foreach(repeats, i, repeat) {
		const char *its = json_string_value(json_object_get(repeat, "point"));

		if (!its || strcmp(its, point->full_label))
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
	free(point->full_label);
	memset(point, 0, sizeof(*point));
}

/* The n-th knob of a run of two knobs, NULL for any other run. */
static const json_t *grid_knob(const json_t *run, size_t n)
{
	const json_t *knobs = json_object_get(json_object_get(run, "plan"), "knobs");

	return json_array_size(knobs) == 2 ? json_array_get(knobs, n) : NULL;
}

size_t summary_slices(const json_t *run)
{
	size_t n = json_array_size(json_object_get(grid_knob(run, 1), "values"));

	return n ? n : 1;
}

/* Names the slice and returns the labels of its points. */
static const json_t *take_slice(struct summary *summary, const char *name, size_t slice)
{
	const json_t *plan = json_object_get(summary->run, "plan");
	const json_t *second = grid_knob(summary->run, 1);

	snprintf(summary->name, sizeof(summary->name), "%s", name);
	if (!second)
		return json_object_get(plan, "points");
	summary->slice = slice;
	summary->slice_knob = json_string_value(json_object_get(second, "knob"));
	summary->slice_value =
		json_string_value(json_array_get(json_object_get(second, "values"), slice));
	snprintf(summary->name, sizeof(summary->name), "%s%s%s %s", name, *name ? ", " : "",
		 summary->slice_knob, summary->slice_value);
	return json_object_get(grid_knob(summary->run, 0), "values");
}

static void find_baseline(struct summary *summary)
{
	const json_t *planned = json_object_get(json_object_get(summary->run, "plan"), "baseline");
	size_t i;

	if (planned) {
		summary->baseline = json_is_string(planned) ?
			summary_find(summary, json_string_value(planned)) : NULL;
	} else {
		summary->baseline = summary_find(summary, SWEEP_UNPATCHED);
		if (!summary->baseline)
			summary->baseline = summary_find(summary, "1");
	}
	for (i = 0; i < summary->n_points; i++)
		summary->points[i].ratio = !summary->baseline ? NAN :
			sweep_stats_ratio(summary->points[i].median[METRIC_SENDER_PPS],
					  summary->baseline->median[METRIC_SENDER_PPS]);
}

int summary_init_slice(struct summary *summary, const json_t *run, const char *name, size_t slice)
{
	const json_t *repeats = json_object_get(run, "repeats"), *labels;
	struct summary_point *point;
	json_t *label;
	size_t i;
	int err;

	memset(summary, 0, sizeof(*summary));
	summary->run = run;
	labels = take_slice(summary, name, slice);
	if (!json_is_array(labels) || !json_is_array(repeats))
		return -EINVAL;
	summary->points = calloc(json_array_size(labels) + 1, sizeof(*summary->points));
	if (!summary->points)
		return -ENOMEM;
	json_array_foreach(labels, i, label) {
		point = &summary->points[summary->n_points];
		err = json_is_string(label) ? point_init(point, repeats, json_string_value(label),
							 summary->slice_value) : -EINVAL;
		if (!err && point->n)
			summary->n_points++;
		else
			point_free(point);
		if (err) {
			summary_free(summary);
			return err;
		}
	}
	find_baseline(summary);
	return 0;
}

int summary_init(struct summary *summary, const json_t *run, const char *name)
{
	return summary_init_slice(summary, run, name, 0);
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

void summary_to_json(const struct summary *summary, json_t *array)
{
	json_t *object;
	const struct summary_point *point;
	size_t i;
	int m;

	for (i = 0; i < summary->n_points; i++) {
		point = &summary->points[i];
		object = json_object();
		json_object_set_new(object, "point", json_string(point->full_label));
		json_object_set_new(object, "repeats", json_integer((json_int_t)point->n));
		for (m = 0; m < METRICS; m++)
			json_object_set_new(object, metric_names[m],
					    real_or_null(point->median[m]));
		json_object_set_new(object, "ratio_to_unpatched",
				    real_or_null(summary_ratio_to_unpatched(summary, point)));
		json_object_set_new(object, "spread_percent", real_or_null(point->spread_percent));
		json_array_append_new(array, object);
	}
}
