// SPDX-License-Identifier: GPL-2.0-or-later
/* `ubench sweep`: measures one interface at many values of tx_signal_rate. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "cmd.h"
#include "knob_state.h"
#include "report.h"
#include "report_summary.h"
#include "sweep_child.h"
#include "sweep_doc.h"
#include "sweep_options.h"
#include "sweep_run.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

static void catch_signals(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	size_t i;

	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

__attribute__((format(printf, 2, 3)))
static int fail(int exit_code, const char *format, ...)
{
	va_list args;

	fputs("ubench sweep: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return exit_code;
}

static int open_knob(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	int err = knob_open(&sweep->knob, options->sysfs_root, options->iface);

	if (err == -ENODEV)
		return fail(UBENCH_EXIT_USAGE, "no such interface: %s", options->iface);
	if (err)
		return fail(UBENCH_EXIT_USAGE, "'%s' cannot be an interface: %s", options->iface,
			    strerror(-err));
	if (!knob_present(&sweep->knob) && !options->hook)
		return fail(UBENCH_EXIT_FAILED, "%s has no " KNOB_NAME ": its driver is not the "
			    "patched one (see ipoib-patch/README.md)", options->iface);
	if (geteuid() && !knob_writable(&sweep->knob))
		return fail(UBENCH_EXIT_FAILED, "not root: may not change " KNOB_NAME " of %s",
			    options->iface);
	return -1;
}

/* While the driver without the knob is loaded the upper limit is not known; see check_rates(). */
static int make_plan(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	const char *rates = options->rates;
	char why[160];

	if (!rates)
		rates = options->hook ? SWEEP_UNPATCHED ",1,4,8,16,32" : "1,4,8,16,32";
	sweep->plan.repeats = options->repeats;
	if (sweep_plan_parse(&sweep->plan, rates, knob_rate_max(&sweep->knob), why, sizeof(why)))
		return fail(UBENCH_EXIT_USAGE, "%s", why);
	if (sweep_plan_needs(&sweep->plan, true) && !options->hook)
		return fail(UBENCH_EXIT_USAGE, "rate \"" SWEEP_UNPATCHED "\" needs --driver-hook CMD, "
			    "which loads either driver; without one compare with rate 1");
	return -1;
}

static void name_output(const struct sweep_options *options, char *path, size_t path_len)
{
	char host[HOST_NAME_MAX + 1] = "host", utc[32], *c;
	time_t now = time(NULL);
	struct tm tm;
	int len;

	if (options->output) {
		snprintf(path, path_len, "%s", options->output);
		return;
	}
	gethostname(host, sizeof(host) - 1);
	gmtime_r(&now, &tm);
	strftime(utc, sizeof(utc), "%Y-%m-%dT%H%M%SZ", &tm);
	len = snprintf(path, path_len, "results/%s-%s-", utc, host);
	snprintf(path + len, path_len - (size_t)len, "%s", options->test[0]);
	for (c = path + len; *c; c++)
		*c = *c == '_' || *c == '/' ? '-' : (char)(*c | 0x20);
}

static int open_log(struct sweep *sweep)
{
	char path[PATH_MAX / 2];
	int err;

	name_output(sweep->options, path, sizeof(path));
	err = runlog_create(&sweep->log, path);
	if (err == -EEXIST)
		return fail(UBENCH_EXIT_USAGE, "%s is there already", sweep->log.final_dir);
	if (err == -EBUSY)
		return fail(UBENCH_EXIT_USAGE, "%s is there: another sweep writes it, or one was "
			    "killed", sweep->log.work_dir);
	if (err)
		return fail(UBENCH_EXIT_FAILED, "cannot create %s: %s", path, strerror(-err));
	return -1;
}

/* Remembers how the interface is now and starts the guard. */
static int start_guard(struct sweep *sweep, struct knob_state *before)
{
	bool adopted;
	int err;

	memset(before, 0, sizeof(*before));
	strcpy(before->iface, sweep->knob.iface);
	if (sweep->options->hook)
		strcpy(before->hook, sweep->options->hook);
	before->patched = knob_present(&sweep->knob);
	if (before->patched) {
		err = knob_read(&sweep->knob, &before->rate);
		if (err)
			return fail(UBENCH_EXIT_FAILED, "cannot read " KNOB_NAME " of %s: %s",
				    sweep->knob.iface, strerror(-err));
	}
	err = sweep_guard_start(&sweep->guard, &sweep->knob, before, &adopted);
	if (err == -EBUSY)
		return fail(UBENCH_EXIT_FAILED, "another sweep of %s is running",
			    sweep->knob.iface);
	if (err)
		return fail(UBENCH_EXIT_FAILED, "cannot record the state of %s in %s: %s",
			    sweep->knob.iface, knob_state_dir(), strerror(-err));
	if (adopted)
		fprintf(stderr, "ubench sweep: a killed sweep left its record; %s will go back to "
			"the state before that one\n", sweep->knob.iface);
	return -1;
}

/* With the patched driver in place every rate must be within its limit before the first run. */
static int check_rates(struct sweep *sweep)
{
	long max, over;
	char text[384];

	if (!sweep_plan_needs(&sweep->plan, false))
		return -1;
	if (sweep->options->hook && sweep_run_driver(sweep, true, text, sizeof(text)))
		return fail(UBENCH_EXIT_FAILED, "%s", text);
	max = knob_rate_max(&sweep->knob);
	over = sweep_plan_rate_over(&sweep->plan, max);
	if (over)
		return fail(UBENCH_EXIT_USAGE, "bad rate '%ld': allowed are %s", over,
			    knob_range_text(max, text, sizeof(text)));
	return -1;
}

static int publish(struct sweep *sweep)
{
	struct summary summary;
	int err = summary_init(&summary, sweep->run, "");

	if (!err) {
		json_object_set_new(sweep->run, "points", summary_to_json(&summary));
		summary_free(&summary);
		err = runlog_publish(&sweep->log, sweep->run);
	}
	if (!err)
		return -1;
	return fail(UBENCH_EXIT_FAILED, "cannot write %s: %s", sweep->log.final_dir,
		    strerror(-err));
}

/* From the first change of the host to the last; the guard undoes all of it. */
static int sweep_guarded(struct sweep *sweep, int argc, char **argv, struct knob_state *before)
{
	char why[512];
	int err, ret = check_rates(sweep);

	if (ret >= 0)
		return ret;
	sweep->run = sweep_doc_new(sweep->options, argc, argv, &sweep->plan, &sweep->knob, before);
	fprintf(stderr, "Sweep of " KNOB_NAME " on %s: %zu points x %u rounds = %zu runs\n",
		sweep->knob.iface, sweep->plan.n_points, sweep->plan.repeats,
		sweep_plan_steps(&sweep->plan));
	sweep_progress_init(&sweep->progress, 0, sweep_plan_steps(&sweep->plan));
	err = sweep_run(sweep, why, sizeof(why));
	sweep_progress_clear(&sweep->progress);
	if (err == -EINTR)
		return fail(UBENCH_EXIT_INTERRUPTED, "interrupted, nothing stored");
	if (err)
		return fail(UBENCH_EXIT_FAILED, "%s", why);
	return publish(sweep);
}

static int sweep_all(struct sweep *sweep, int argc, char **argv)
{
	struct knob_state before;
	int ret = open_log(sweep);

	if (ret >= 0)
		return ret;
	ret = start_guard(sweep, &before);
	if (ret < 0) {
		ret = sweep_guarded(sweep, argc, argv, &before);
		if (sweep_guard_end(&sweep->guard) && ret < 0)
			ret = UBENCH_EXIT_FAILED;	/* the guard has said why */
	}
	if (ret >= 0)
		runlog_discard(&sweep->log);
	return ret;
}

static int prepared_sweep(struct sweep *sweep, int argc, char **argv, struct report_runs *others)
{
	int ret = open_knob(sweep);

	if (ret < 0)
		ret = make_plan(sweep);
	if (ret < 0)
		ret = report_load(others, sweep->options->compare, sweep->options->n_compare);
	if (ret >= 0)
		return ret;
	sweep->child_argv = sweep_child_argv(sweep->options->test, sweep->options->n_test);
	if (!sweep->child_argv)
		return fail(UBENCH_EXIT_FAILED, "out of memory");
	catch_signals();
	ret = sweep_all(sweep, argc, argv);
	if (ret >= 0)
		return ret;
	report_print(stdout, sweep->run, sweep->log.final_dir, others);
	puts(sweep->log.final_dir);
	return UBENCH_EXIT_OK;
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep_options options;
	struct sweep sweep = { .options = &options, .stop = &stop };
	struct report_runs others = { 0 };
	int ret = sweep_options_parse(&options, argc, argv);

	if (ret < 0)
		ret = prepared_sweep(&sweep, argc, argv, &others);
	report_unload(&others);
	json_decref(sweep.run);
	free(sweep.child_argv);
	sweep_options_free(&options);
	return ret;
}
