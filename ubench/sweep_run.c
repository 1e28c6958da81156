// SPDX-License-Identifier: GPL-2.0-or-later
/* One step: driver, rate, counters, child, counters, log. */
#include "sweep_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "counters.h"
#include "driver_hook.h"
#include "report_findings.h"
#include "report_summary.h"
#include "sweep_child.h"
#include "sweep_doc.h"
#include "sweep_options.h"

int sweep_run_driver(struct sweep *sweep, bool patched, char *why, size_t why_len)
{
	const char *driver = patched ? "patched" : "unpatched";
	pid_t pid;
	int err;

	if (knob_iface_present(&sweep->knob) && knob_present(&sweep->knob) == patched)
		return 0;
	pid = driver_hook_start(sweep->options->hook, patched);
	if (pid < 0) {
		snprintf(why, why_len, "cannot start the driver hook: %s", strerror(-pid));
		return -EIO;
	}
	sweep_guard_note_hook(&sweep->guard, pid);
	err = driver_hook_finish(pid, &sweep->knob, patched);
	sweep_guard_note_hook(&sweep->guard, 0);
	if (!err)
		return 0;
	snprintf(why, why_len, err == -ECHILD ? "the driver hook failed: %s %s" :
		 "%s %s: the driver of the interface is another one still",
		 sweep->options->hook, driver);
	return -EIO;
}

static int set_rate(struct sweep *sweep, const struct sweep_point *point, char *why, size_t why_len)
{
	char range[48];
	int err = knob_write(&sweep->knob, point->rate);

	if (!err)
		return 0;
	if (err == -EINVAL)
		snprintf(why, why_len, "%s does not take " KNOB_NAME " %ld; allowed: %s",
			 sweep->knob.iface, point->rate,
			 knob_range_text(knob_rate_max(&sweep->knob), range, sizeof(range)));
	else
		snprintf(why, why_len, "cannot set " KNOB_NAME " of %s to %ld: %s",
			 sweep->knob.iface, point->rate, strerror(-err));
	return -EIO;
}

/* Sets what the point varies on the interface; options of the test are in the child's command line. */
static int set_values(struct sweep *sweep, const struct sweep_point *point, char *why, size_t why_len)
{
	const struct sweep_knob *knob;
	const char *value;
	size_t k;
	int err = 0;

	for (k = 0; k < sweep->plan.n_knobs && !err; k++) {
		knob = &sweep->plan.knobs[k];
		value = knob->values[point->value[k]];
		if (knob->kind == SWEEP_KNOB_RATE && !point->unpatched)
			err = set_rate(sweep, point, why, why_len);
		if (knob->kind != SWEEP_KNOB_SETTING)
			continue;
		err = setting_write(&knob->setting, &sweep->knob, value);
		if (err)
			snprintf(why, why_len, "cannot set %s of %s to %s: %s", knob->name,
				 sweep->knob.iface, value, strerror(-err));
	}
	return err ? -EIO : 0;
}

/* Adds the finished run to the document and to the disk. */
static int keep(struct sweep *sweep, json_t *repeat, char *why, size_t why_len)
{
	json_t *array = json_object_get(sweep->run, sweep_doc_place(repeat));
	double values[METRICS];
	int err;

	if (!repeat || json_array_append_new(array, repeat)) {
		snprintf(why, why_len, "out of memory");
		return -EIO;
	}
	err = runlog_append(&sweep->log, repeat);
	if (err) {
		snprintf(why, why_len, "cannot write %.200s: %s", sweep->log.work_dir, strerror(-err));
		return -EIO;
	}
	summary_metrics(repeat, values);
	sweep_progress_end(&sweep->progress, values);
	return 0;
}

/* The test's own counts stand for the device's where no interface names one. */
static struct counters counters_of_test(const json_t *result)
{
	static const char *const names[COUNTERS] = {
		[COUNTER_TX_WRS] = "work_requests",
		[COUNTER_TX_CQES] = "completions",
		[COUNTER_TX_EVENTS] = "completion_events",
		[COUNTER_TX_DOORBELLS] = "post_calls",
	};
	const json_t *verbs = json_object_get(json_object_get(result, "end"), "verbs");
	struct counters counters = { .source = "work requests and completions of the test" };
	const json_t *value;
	int id;

	for (id = 0; id < COUNTERS; id++) {
		value = json_object_get(verbs, names[id]);
		counters.known[id] = json_is_integer(value);
		counters.value[id] = (uint64_t)json_integer_value(value);
	}
	return counters;
}

/* How long the driver may hold sent packets back at this point, from what it says itself. */
static struct sweep_held held_at(const struct sweep *sweep, const struct sweep_point *point)
{
	struct sweep_held held = { .packets = -1, .usecs = -1 };
	char usecs[32];
	long rate;

	if (sweep_plan_has(&sweep->plan, SWEEP_KNOB_SIGNAL))
		held.packets = point->rate - 1;
	if (!sweep->options->iface)
		return held;
	if (!knob_read(&sweep->knob, &rate))
		held.packets = rate - 1;
	else if (point->unpatched)
		held.packets = 0;
	if (!knob_read_attr(&sweep->knob, "tx_signal_usecs", usecs, sizeof(usecs)))
		held.usecs = atol(usecs);
	return held;
}

/* Runs the test once; its document and the counters' differences. 0 or as sweep_child_run(). */
static int run_child(struct sweep *sweep, const struct sweep_point *point, struct counters *delta,
		     json_t **result, char *why, size_t why_len)
{
	char **argv = sweep_child_argv(sweep->options->test, sweep->options->n_test, &sweep->plan,
				       point);
	const struct sweep_child child = {
		.argv = argv,
		.stop = sweep->stop,
		.limit_s = sweep->options->limit_s,
		.tick = sweep_progress_tick,
		.context = &sweep->progress,
	};
	struct counters before, after;
	int err;

	if (!argv) {
		snprintf(why, why_len, "out of memory");
		return -EIO;
	}
	if (sweep->options->iface)
		counters_read_settled(&sweep->knob, &before);
	err = sweep_child_run(&child, result, why, why_len);
	free(argv);
	if (err)
		return err;
	if (sweep->options->iface) {
		counters_read_settled(&sweep->knob, &after);
		*delta = counters_since(&before, &after);
	} else {
		*delta = counters_of_test(*result);
	}
	return 0;
}

static int measure(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	const struct sweep_point *point = &sweep->plan.points[step.point];
	const struct sweep_held held = held_at(sweep, point);
	struct counters delta;
	json_t *result;
	char utc[32];
	int err;

	sweep_doc_utc(utc, sizeof(utc));
	err = run_child(sweep, point, &delta, &result, why, why_len);
	if (err)
		return err;
	return keep(sweep, sweep_doc_repeat(point, step, utc, &held, &delta, result), why, why_len);
}

/* "tx_signal_rate 8, option:-m 100"; the unpatched driver needs no knob's name. */
static void name_values(const struct sweep *sweep, const struct sweep_point *point, char *text,
			size_t text_len)
{
	const struct sweep_knob *knob;
	const char *value;
	size_t k, len = 0;

	for (k = 0; k < sweep->plan.n_knobs && len < text_len; k++) {
		knob = &sweep->plan.knobs[k];
		value = knob->values[point->value[k]];
		if (knob->kind == SWEEP_KNOB_RATE && !strcmp(value, SWEEP_UNPATCHED))
			len += (size_t)snprintf(text + len, text_len - len, "%s%s", k ? ", " : "",
						value);
		else
			len += (size_t)snprintf(text + len, text_len - len, "%s%s %s",
						k ? ", " : "", knob->name, value);
	}
}

/* "round 2/3, tx_signal_rate 8" */
static void name_step(const struct sweep *sweep, struct sweep_step step, char *label,
		      size_t label_len)
{
	char values[96];

	name_values(sweep, &sweep->plan.points[step.point], values, sizeof(values));
	if (step.is_check)
		snprintf(label, label_len, "drift check %u, %s", step.round, values);
	else if (step.round)
		snprintf(label, label_len, "round %u/%u, %s", step.round, sweep->plan.repeats, values);
	else
		snprintf(label, label_len, "warm-up, %s", values);
}

static int run_step(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	const struct sweep_point *point = &sweep->plan.points[step.point];
	char label[128];
	int err = 0;

	name_step(sweep, step, label, sizeof(label));
	sweep_progress_begin(&sweep->progress, label);
	if (sweep->options->hook)
		err = sweep_run_driver(sweep, !point->unpatched, why, why_len);
	if (!err)
		err = set_values(sweep, point, why, why_len);
	if (!err && !*sweep->stop)
		err = measure(sweep, step, why, why_len);
	return *sweep->stop ? -EINTR : err;
}

/* run_step() with the step named in front of what went wrong. */
static int run_named_step(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	char reason[384], label[128];
	int err = run_step(sweep, step, reason, sizeof(reason));

	if (err && err != -EINTR) {
		name_step(sweep, step, label, sizeof(label));
		snprintf(why, why_len, "%s: %s", label, reason);
	}
	return err;
}

size_t sweep_run_finished(const struct sweep *sweep)
{
	return json_array_size(json_object_get(sweep->run, "repeats")) +
	       json_array_size(json_object_get(sweep->run, "drift_checks"));
}

/* The widest interval of all slices; *label, owned by the run, names its point. */
static double widest_percent(const json_t *run, const char **label)
{
	double widest = 0, width;
	struct findings findings;
	struct summary summary;
	const char *its;
	size_t i;

	for (i = 0; i < summary_slices(run); i++) {
		if (summary_init_slice(&summary, run, "", i))
			return 0;
		findings_init(&findings, &summary);
		width = findings_widest_percent(&findings, &its);
		if (width >= widest) {
			widest = width;
			*label = its;
		}
		findings_free(&findings);
		summary_free(&summary);
	}
	return widest;
}

/* With --until-ci, adds a round while an interval is too wide; true if it did. */
static bool add_round(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	const char *label = "";
	double widest;
	bool more;

	if (!(options->until_ci_percent > 0))
		return false;
	widest = widest_percent(sweep->run, &label);
	more = widest > options->until_ci_percent && sweep->plan.repeats < options->max_repeats;
	fprintf(stderr, "After %u rounds the widest interval is +-%.2f %% (%s), wanted +-%g %%%s\n",
		sweep->plan.repeats, widest, label, options->until_ci_percent,
		more ? ": one more round" : widest > options->until_ci_percent ?
		       ": --max-repeat is reached" : "");
	if (!more)
		return false;
	sweep->plan.repeats++;
	sweep->progress.total += sweep_plan_round_steps(&sweep->plan);
	json_object_set_new(json_object_get(sweep->run, "plan"), "repeats",
			    json_integer(sweep->plan.repeats));
	return true;
}

int sweep_run(struct sweep *sweep, char *why, size_t why_len)
{
	size_t step = sweep_run_finished(sweep);
	struct sweep_step warmup;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && step < sweep_plan_steps(&sweep->plan) && i < sweep->plan.warmups; i++) {
		warmup = sweep_plan_step(&sweep->plan, step);
		warmup.round = 0;
		warmup.is_check = false;
		err = run_named_step(sweep, warmup, why, why_len);
	}
	do {
		for (; !err && step < sweep_plan_steps(&sweep->plan); step++)
			err = run_named_step(sweep, sweep_plan_step(&sweep->plan, step), why,
					     why_len);
	} while (!err && add_round(sweep));
	return err;
}
