// SPDX-License-Identifier: GPL-2.0-or-later
/* flent's files are time series; a sweep is one whose points take turns. */
#include "report_flent.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "report_summary.h"

enum { FLENT_VERSION = 3 };

/* Unix time of the "utc" of a repeat; false if it has none. */
static bool begin_of(const json_t *repeat, double *unix_s)
{
	const char *text = json_string_value(json_object_get(repeat, "utc"));
	struct tm tm = { 0 };

	if (!text || !strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return false;
	*unix_s = (double)timegm(&tm);
	return true;
}

/* Appends one place to the series: value if it is known, else null. */
static void add_place(json_t *results, json_t *raw, const char *series, double unix_s, double value)
{
	if (!json_object_get(results, series)) {
		json_object_set_new(results, series, json_array());
		json_object_set_new(raw, series, json_array());
	}
	json_array_append_new(json_object_get(results, series),
			      isfinite(value) ? json_real(value) : json_null());
	if (isfinite(value))
		json_array_append_new(json_object_get(raw, series),
				      json_pack("{s:f, s:f}", "t", unix_s, "val", value));
}

static void add_repeat(json_t *results, json_t *raw, const json_t *run, const json_t *repeat,
		       double unix_s)
{
	const char *its = json_string_value(json_object_get(repeat, "point"));
	double values[METRICS];
	char series[96];
	json_t *label;
	size_t i;
	bool is_it;

	summary_metrics(repeat, values);
	json_array_foreach(json_object_get(json_object_get(run, "plan"), "points"), i, label) {
		is_it = its && !strcmp(its, json_string_value(label));
		snprintf(series, sizeof(series), "%s sent PPS", json_string_value(label));
		add_place(results, raw, series, unix_s, is_it ? values[METRIC_SENDER_PPS] : NAN);
		snprintf(series, sizeof(series), "%s received PPS", json_string_value(label));
		add_place(results, raw, series, unix_s, is_it ? values[METRIC_RECEIVER_PPS] : NAN);
	}
}

/* Series that nobody counted are left out. */
static void drop_empty(json_t *results, json_t *raw)
{
	const char *series;
	json_t *values;
	void *next;

	json_object_foreach_safe(raw, next, series, values) {
		if (json_array_size(values))
			continue;
		json_object_del(results, series);
		json_object_del(raw, series);
	}
}

static json_t *metadata(const json_t *run, const char *title, double first_s, double length_s)
{
	time_t first = (time_t)first_s;
	char utc[32];
	struct tm tm;
	const json_t *start = json_object_get(run, "start");
	json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:i, s:s}", "NAME", "ubench_sweep", "TITLE",
				   title, "LENGTH", length_s, "TOTAL_LENGTH", length_s, "STEP_SIZE",
				   1, "FLENT_VERSION", "exported by ubench");

	/* flent takes UTC only with a fraction of a second. */
	gmtime_r(&first, &tm);
	strftime(utc, sizeof(utc), "%Y-%m-%dT%H:%M:%S.000000Z", &tm);
	json_object_set_new(object, "TIME", json_string(utc));
	json_object_set_new(object, "T0", json_string(utc));
	json_object_set(object, "LOCAL_HOST", json_object_get(start, "host"));
	json_object_set(object, "TEST_PARAMETERS", json_object_get(start, "notes"));
	json_object_set(object, "UBENCH_START", (json_t *)start);
	return object;
}

json_t *report_flent(const json_t *run, const char *title)
{
	json_t *x = json_array(), *results = json_object(), *raw = json_object(), *repeat;
	double unix_s, first_s = 0, last_s = 0;
	bool has_times = true;
	size_t i;

	json_array_foreach(json_object_get(run, "repeats"), i, repeat) {
		if (!begin_of(repeat, &unix_s)) {
			has_times = false;
			break;
		}
		if (i == 0)
			first_s = unix_s;
		last_s = unix_s;
		json_array_append_new(x, json_real(unix_s - first_s));
		add_repeat(results, raw, run, repeat, unix_s);
	}
	if (!has_times) {
		json_decref(x);
		json_decref(results);
		json_decref(raw);
		return NULL;
	}
	drop_empty(results, raw);
	return json_pack("{s:i, s:o, s:o, s:o, s:o}", "version", FLENT_VERSION, "x_values", x,
			 "results", results, "raw_values", raw, "metadata",
			 metadata(run, title, first_s, last_s - first_s));
}
