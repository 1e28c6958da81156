// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds run.json: what was asked for, on what host, and what each repeat gave. */
#include "sweep_doc.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "counters.h"
#include "knob.h"
#include "knob_state.h"
#include "sweep_options.h"
#include "sweep_plan.h"

/* Attributes of the interface that decide what a repeat can reach. */
static const char *const iface_attrs[] = {
	"address", "mtu", "mode", "tx_queue_len", "tx_signal_usecs", "operstate", NULL
};

const char *sweep_doc_utc(char *buf, size_t buf_len)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, buf_len, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}

static json_t *append_strings(json_t *array, char *const *text, int n)
{
	int i;

	for (i = 0; i < n; i++)
		json_array_append_new(array, json_string(text[i]));
	return array;
}

static json_t *string_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *positive_or_null(long value)
{
	return value > 0 ? json_integer(value) : json_null();
}

static json_t *known_or_null(long value)
{
	return value >= 0 ? json_integer(value) : json_null();
}

/* The device under the interface: its PCI address or platform name. */
static json_t *device_name(const struct knob *knob)
{
	char path[320], target[256];
	const char *base;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/device", knob->dir);
	len = readlink(path, target, sizeof(target) - 1);
	if (len <= 0)
		return json_null();
	target[len] = '\0';
	base = strrchr(target, '/');
	return json_string(base ? base + 1 : target);
}

static json_t *environment(const struct knob *knob)
{
	json_t *env = json_object(), *attrs = json_object();
	struct utsname uts;
	char text[128];
	int i;

	uname(&uts);
	json_object_set_new(env, "kernel", json_string(uts.release));
	json_object_set_new(env, "kernel_build", json_string(uts.version));
	json_object_set_new(env, "machine", json_string(uts.machine));
	json_object_set_new(env, "cpus_online", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(env, "device", device_name(knob));
	for (i = 0; iface_attrs[i]; i++)
		if (!knob_read_attr(knob, iface_attrs[i], text, sizeof(text)))
			json_object_set_new(attrs, iface_attrs[i], json_string(text));
	json_object_set_new(env, "interface_attributes", attrs);
	return env;
}

/* What the other settings were, which the sweep changes. */
static json_t *settings_to_json(const struct knob_state *before)
{
	json_t *object = json_object();
	char name[SETTING_NAME_MAX + 16];
	unsigned int i;

	for (i = 0; i < before->n_settings; i++)
		json_object_set_new(object,
				    setting_text(&before->settings[i].what, name, sizeof(name)),
				    json_string(before->settings[i].value));
	return object;
}

static json_t *start(const struct sweep_options *options, int argc, char **argv,
		     const struct sweep_plan *plan, const struct knob *knob,
		     const struct knob_state *before)
{
	bool changes = sweep_options_change_interface(options);
	json_t *object = json_object(), *command = json_pack("[s]", "ubench");
	json_t *test = append_strings(json_array(), options->test, options->n_test);
	char text[HOST_NAME_MAX + 1] = "", utc[32], cwd[PATH_MAX];

	append_strings(command, argv, argc);
	gethostname(text, sizeof(text) - 1);
	json_object_set_new(object, "utc", json_string(sweep_doc_utc(utc, sizeof(utc))));
	json_object_set_new(object, "host", json_string(text));
	json_object_set_new(object, "command_line", command);
	if (getcwd(cwd, sizeof(cwd)))
		json_object_set_new(object, "directory", json_string(cwd));
	json_object_set_new(object, "interface", string_or_null(knob->iface));
	json_object_set_new(object, "knob", json_string(plan->knobs[0].name));
	json_object_set_new(object, "rate_max",
			    changes ? positive_or_null(knob_rate_max(knob)) : json_null());
	json_object_set_new(object, "driver_before", !changes ? json_null() :
			    json_string(before->patched ? SWEEP_PATCHED : SWEEP_UNPATCHED));
	json_object_set_new(object, "rate_before", positive_or_null(before->rate));
	json_object_set_new(object, "settings_before", settings_to_json(before));
	json_object_set_new(object, "driver_hook", string_or_null(options->hook));
	json_object_set_new(object, "test", test);
	json_object_set(object, "notes", options->notes);
	json_object_set_new(object, "environment", environment(knob));
	return object;
}

static json_t *knob_to_json(const struct sweep_knob *knob)
{
	json_t *values = json_array();
	size_t i;

	for (i = 0; i < knob->n_values; i++)
		json_array_append_new(values, json_string(knob->values[i]));
	return json_pack("{s:s, s:o}", "knob", knob->name, "values", values);
}

static json_t *plan_to_json(const struct sweep_plan *plan)
{
	json_t *points = json_array(), *knobs = json_array();
	size_t i;

	for (i = 0; i < plan->n_points; i++)
		json_array_append_new(points, json_string(plan->points[i].label));
	for (i = 0; i < plan->n_knobs; i++)
		json_array_append_new(knobs, knob_to_json(&plan->knobs[i]));
	return json_pack("{s:o, s:o, s:s?, s:i, s:s, s:o, s:i, s:b}", "points", points, "knobs", knobs,
			 "baseline", sweep_plan_baseline(plan), "repeats", (int)plan->repeats,
			 "order", plan->shuffled ? "random" : "interleaved",
			 "seed", plan->shuffled ? json_integer(plan->seed) : json_null(),
			 "warmups", (int)plan->warmups, "drift_checks", (int)plan->has_drift_checks);
}

json_t *sweep_doc_new(const struct sweep_options *options, int argc, char **argv,
		      const struct sweep_plan *plan, const struct knob *knob,
		      const struct knob_state *before)
{
	return json_pack("{s:i, s:s, s:o, s:o, s:[], s:[], s:[]}", "schema_version",
			 SWEEP_DOC_VERSION, "kind", "sweep", "start",
			 start(options, argc, argv, plan, knob, before), "plan", plan_to_json(plan),
			 "warmups", "drift_checks", "repeats");
}

static json_t *counters_to_json(const struct counters *counters)
{
	json_t *object = json_object();
	int id;

	json_object_set_new(object, "source", string_or_null(counters->source));
	for (id = 0; id < COUNTERS; id++)
		json_object_set_new(object, counter_names[id],
				    counters->known[id] ?
					    json_integer((json_int_t)counters->value[id]) :
					    json_null());
	return object;
}

json_t *sweep_doc_repeat(const struct sweep_point *point, struct sweep_step step, const char *utc,
			 const struct sweep_held *held, const struct counters *counters,
			 json_t *result)
{
	json_t *repeat = json_pack("{s:s, s:i, s:s, s:o, s:{s:o, s:o}, s:o, s:o}", "point",
				   point->label, "round", (int)step.round, "utc", utc, "rate",
				   positive_or_null(point->rate), "held", "packets_max",
				   known_or_null(held->packets), "usecs_max",
				   known_or_null(held->usecs), "counters",
				   counters_to_json(counters), "result", result);

	if (step.is_check)
		json_object_set_new(repeat, "is_drift_check", json_true());
	return repeat;
}

const char *sweep_doc_place(const json_t *repeat)
{
	if (json_is_true(json_object_get(repeat, "is_drift_check")))
		return "drift_checks";
	return json_integer_value(json_object_get(repeat, "round")) ? "repeats" : "warmups";
}
