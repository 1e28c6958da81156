// SPDX-License-Identifier: GPL-2.0-or-later
/* `ubench sweep`: measures one interface at many values of tx_signal_rate. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cmd.h"
#include "complain.h"
#include "knob_state.h"
#include "report.h"
#include "sweep_doc.h"
#include "sweep_options.h"
#include "sweep_run.h"
#include "sweep_setup.h"

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

static int publish(struct sweep *sweep)
{
	int err = report_aggregate(sweep->run);

	if (!err)
		err = runlog_publish(&sweep->log, sweep->run);
	if (!err)
		return -1;
	return complain("sweep", UBENCH_EXIT_FAILED, "cannot write %s: %s", sweep->log.final_dir,
			strerror(-err));
}

/* Says what is planned and, when shuffled, the seed that gives the same order again. */
static void announce(const struct sweep *sweep)
{
	const struct sweep_plan *plan = &sweep->plan;
	size_t finished = sweep_run_finished(sweep);

	fprintf(stderr, "Sweep of %s%s%s on %s: %zu points x %u rounds%s = %zu runs",
		plan->knobs[0].name, plan->n_knobs > 1 ? " and " : "",
		plan->n_knobs > 1 ? plan->knobs[1].name : "",
		sweep->options->iface ? sweep->options->iface : sweep->options->test[0],
		plan->n_points, plan->repeats, plan->has_drift_checks ? " and drift checks" : "",
		sweep_plan_steps(plan));
	if (plan->shuffled)
		fprintf(stderr, ", order from seed %u", plan->seed);
	if (finished)
		fprintf(stderr, "; %zu are done", finished);
	fputc('\n', stderr);
}

/* The sweep ends early: what is finished stays for --resume. */
static int end_early(struct sweep *sweep, int exit_code, const char *why)
{
	size_t finished = sweep_run_finished(sweep);

	if (!finished)
		return complain("sweep", exit_code, "%s", why);
	return complain("sweep", exit_code,
			"%s; %zu finished runs are kept, go on with ubench sweep --resume %s", why,
			finished, sweep->log.work_dir);
}

/* From the first change of the host to the last; the guard undoes all of it. */
static int sweep_guarded(struct sweep *sweep, int argc, char **argv, struct knob_state *before)
{
	size_t steps = sweep_plan_steps(&sweep->plan);
	char why[512];
	int err, ret = sweep_setup_rates(sweep);

	if (ret >= 0)
		return ret;
	if (!sweep->resumed) {
		sweep->run = sweep_doc_new(sweep->options, argc, argv, &sweep->plan, &sweep->knob,
					   before);
		err = runlog_begin(&sweep->log, sweep->run);
		if (err)
			return complain("sweep", UBENCH_EXIT_FAILED, "cannot write %s: %s",
					sweep->log.work_dir, strerror(-err));
	}
	announce(sweep);
	sweep_progress_init(&sweep->progress, sweep_run_finished(sweep),
			    steps + sweep->plan.warmups);
	err = sweep_run(sweep, why, sizeof(why));
	sweep_progress_clear(&sweep->progress);
	if (err == -EINTR)
		return end_early(sweep, UBENCH_EXIT_INTERRUPTED, "interrupted");
	if (err)
		return end_early(sweep, UBENCH_EXIT_FAILED, why);
	return publish(sweep);
}

static int sweep_all(struct sweep *sweep, int argc, char **argv)
{
	struct knob_state before;
	int ret = sweep->resumed ? -1 : sweep_setup_log(sweep);

	if (ret >= 0)
		return ret;
	ret = sweep_setup_guard(sweep, &before);
	if (ret < 0) {
		ret = sweep_guarded(sweep, argc, argv, &before);
		if (sweep_options_change_interface(sweep->options) &&
		    sweep_guard_end(&sweep->guard) && ret < 0)
			ret = UBENCH_EXIT_FAILED; /* the guard has said why */
	}
	if (ret >= 0 && !sweep_run_finished(sweep))
		runlog_discard(&sweep->log);
	else
		runlog_close(&sweep->log);
	return ret;
}

static int prepared_sweep(struct sweep *sweep, int argc, char **argv, struct report_runs *others)
{
	int ret = sweep->resumed ? -1 : sweep_setup_knob(sweep);

	if (ret < 0 && !sweep->resumed)
		ret = sweep_setup_plan(sweep);
	if (ret < 0)
		ret = report_load(others, sweep->options->compare, sweep->options->n_compare);
	if (ret >= 0)
		return ret;
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
	char **recorded_argv = NULL;
	int ret = sweep_options_parse(&options, argc, argv);

	if (ret < 0 && options.resume)
		ret = sweep_setup_resume(&sweep, &options, &recorded_argv);
	if (ret < 0)
		ret = prepared_sweep(&sweep, argc, argv, &others);
	report_unload(&others);
	json_decref(sweep.run);
	sweep_options_free(&options);
	free(recorded_argv);
	return ret;
}
