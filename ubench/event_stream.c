// SPDX-License-Identifier: GPL-2.0-or-later
/* --json-stream: the parts of the JSON document as they come to be, an event a line on stdout. */
#include "event_stream.h"

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "result.h"

static bool is_started;

static int print(const char *event, json_t *data)
{
	json_t *line = json_pack("{s:s, s:o}", "event", event, "data", data);
	int ret = line ? json_dumpf(line, stdout, JSON_COMPACT) : -1;

	json_decref(line);
	putchar('\n');
	return fflush(stdout) || ret ? -1 : 0;
}

int event_stream_start(const struct ubench_result *r)
{
	json_t *data;

	if (is_started)
		return 0;
	is_started = true;
	data = result_start_to_json(r);
	json_object_set_new(data, "schema_version", json_integer(RESULT_SCHEMA_VERSION));
	return print("start", data);
}

int event_stream_interval(const struct result_interval *interval)
{
	return print("interval", result_interval_to_json(interval));
}

int event_stream_end(const struct ubench_result *r)
{
	int ret = event_stream_start(r);

	if (!ret)
		ret = print("end", result_end_to_json(r));
	if (!ret && r->error.code)
		ret = print("error", result_error_to_json(&r->error));
	return ret;
}
