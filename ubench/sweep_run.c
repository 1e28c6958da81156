// SPDX-License-Identifier: GPL-2.0-or-later
/* One step: driver, rate, counters, child, counters, log. */
#include "sweep_run.h"

#include <errno.h>
#include <stdio.h>
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
	int err;

	if (point->unpatched)
		return 0;
	if (sweep->options->is_test_knob) {
		strcpy(sweep->rate_text, point->label);
		sweep_child_set_rate(sweep->child_argv, sweep->options->test,
				     sweep->options->n_test, sweep->rate_text);
		return 0;
	}
	err = knob_write(&sweep->knob, point->rate);
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

/* Adds the finished run to the document and to the disk; round 0 is the warm-up. */
static int keep(struct sweep *sweep, unsigned int round, json_t *repeat, char *why, size_t why_len)
{
	json_t *array = json_object_get(sweep->run, round ? "repeats" : "warmups");
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

static int measure(struct sweep *sweep, const struct sweep_point *point, unsigned int round,
		   char *why, size_t why_len)
{
	const struct sweep_child child = {
		.argv = sweep->child_argv,
		.stop = sweep->stop,
		.limit_s = sweep->options->limit_s,
		.tick = sweep_progress_tick,
		.context = &sweep->progress,
	};
	struct counters before, after, delta;
	json_t *result;
	char utc[32];
	int err;

	sweep_doc_utc(utc, sizeof(utc));
	if (!sweep->options->is_test_knob)
		counters_read_settled(&sweep->knob, &before);
	err = sweep_child_run(&child, &result, why, why_len);
	if (err)
		return err;
	if (sweep->options->is_test_knob) {
		delta = counters_of_test(result);
	} else {
		counters_read_settled(&sweep->knob, &after);
		delta = counters_since(&before, &after);
	}
	return keep(sweep, round, sweep_doc_repeat(point, round, utc, &delta, result), why,
		    why_len);
}

/* "round 2/3, tx_signal_rate 8" */
static void name_step(const struct sweep *sweep, struct sweep_step step, char *label,
		      size_t label_len)
{
	const struct sweep_point *point = &sweep->plan.points[step.point];
	const char *knob = point->unpatched ? "" : sweep_options_knob(sweep->options);
	const char *space = point->unpatched ? "" : " ";

	if (step.round)
		snprintf(label, label_len, "round %u/%u, %s%s%s", step.round, sweep->plan.repeats,
			 knob, space, point->label);
	else
		snprintf(label, label_len, "warm-up, %s%s%s", knob, space, point->label);
}

static int run_step(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	const struct sweep_point *point = &sweep->plan.points[step.point];
	char label[96];
	int err = 0;

	name_step(sweep, step, label, sizeof(label));
	sweep_progress_begin(&sweep->progress, label);
	if (sweep->options->hook)
		err = sweep_run_driver(sweep, !point->unpatched, why, why_len);
	if (!err)
		err = set_rate(sweep, point, why, why_len);
	if (!err && !*sweep->stop)
		err = measure(sweep, point, step.round, why, why_len);
	return *sweep->stop ? -EINTR : err;
}

/* run_step() with the step named in front of what went wrong. */
static int run_named_step(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	char reason[384], label[96];
	int err = run_step(sweep, step, reason, sizeof(reason));

	if (err && err != -EINTR) {
		name_step(sweep, step, label, sizeof(label));
		snprintf(why, why_len, "%s: %s", label, reason);
	}
	return err;
}

size_t sweep_run_finished(const struct sweep *sweep)
{
	return json_array_size(json_object_get(sweep->run, "repeats"));
}

/* With --until-ci, adds a round while an interval is too wide; true if it did. */
static bool add_round(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	const char *label = "";
	struct findings findings;
	struct summary summary;
	double widest;
	bool more;

	if (!(options->until_ci_percent > 0) || summary_init(&summary, sweep->run, ""))
		return false;
	findings_init(&findings, &summary);
	widest = findings_widest_percent(&findings, &label);
	more = widest > options->until_ci_percent && sweep->plan.repeats < options->max_repeats;
	fprintf(stderr, "After %u rounds the widest interval is +-%.2f %% (%s), wanted +-%g %%%s\n",
		sweep->plan.repeats, widest, label, options->until_ci_percent,
		more ? ": one more round" : widest > options->until_ci_percent ?
		       ": --max-repeat is reached" : "");
	findings_free(&findings);
	summary_free(&summary);
	if (!more)
		return false;
	sweep->plan.repeats++;
	sweep->progress.total += sweep->plan.n_points;
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
		err = run_named_step(sweep, warmup, why, why_len);
	}
	do {
		for (; !err && step < sweep_plan_steps(&sweep->plan); step++)
			err = run_named_step(sweep, sweep_plan_step(&sweep->plan, step), why,
					     why_len);
	} while (!err && add_round(sweep));
	return err;
}
