// SPDX-License-Identifier: GPL-2.0-or-later
/* One step: driver, rate, counters, child, counters, log. */
#include "sweep_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "counters.h"
#include "driver_hook.h"
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

/* Adds the finished repeat to the document and to the disk. */
static int keep(struct sweep *sweep, json_t *repeat, char *why, size_t why_len)
{
	double values[METRICS];
	int err;

	if (!repeat || json_array_append_new(json_object_get(sweep->run, "repeats"), repeat)) {
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

static int measure(struct sweep *sweep, const struct sweep_point *point, unsigned int round,
		   char *why, size_t why_len)
{
	const struct sweep_child child = {
		.argv = sweep->child_argv,
		.stop = sweep->stop,
		.tick = sweep_progress_tick,
		.context = &sweep->progress,
	};
	struct counters before, after, delta;
	json_t *result;
	char utc[32];
	int err;

	sweep_doc_utc(utc, sizeof(utc));
	counters_read_settled(&sweep->knob, &before);
	err = sweep_child_run(&child, &result, why, why_len);
	if (err)
		return err;
	counters_read_settled(&sweep->knob, &after);
	delta = counters_since(&before, &after);
	return keep(sweep, sweep_doc_repeat(point, round, utc, &delta, result), why, why_len);
}

static int run_step(struct sweep *sweep, struct sweep_step step, char *why, size_t why_len)
{
	const struct sweep_point *point = &sweep->plan.points[step.point];
	char label[96];
	int err = 0;

	snprintf(label, sizeof(label), "round %u/%u, %s%s", step.round, sweep->plan.repeats,
		 point->unpatched ? "" : KNOB_NAME " ", point->label);
	sweep_progress_begin(&sweep->progress, label);
	if (sweep->options->hook)
		err = sweep_run_driver(sweep, !point->unpatched, why, why_len);
	if (!err)
		err = set_rate(sweep, point, why, why_len);
	if (!err && !*sweep->stop)
		err = measure(sweep, point, step.round, why, why_len);
	return *sweep->stop ? -EINTR : err;
}

int sweep_run(struct sweep *sweep, char *why, size_t why_len)
{
	size_t step, steps = sweep_plan_steps(&sweep->plan);
	char reason[384];
	int err;

	for (step = sweep->progress.done; step < steps; step++) {
		struct sweep_step now = sweep_plan_step(&sweep->plan, step);

		err = run_step(sweep, now, reason, sizeof(reason));
		if (!err)
			continue;
		snprintf(why, why_len, "round %u, %s: %s", now.round,
			 sweep->plan.points[now.point].label, reason);
		return err;
	}
	return 0;
}
