// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything that can be refused is refused here, before the interface is touched or just after. */
#include "sweep_setup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "cmd.h"
#include "complain.h"
#include "knob_state.h"
#include "sweep_doc.h"
#include "sweep_options.h"
#include "sweep_run.h"

/* Without a hook every value that is varied must be there now; with one a driver may bring it. */
static int check_presence(const struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	char value[SETTING_VALUE_MAX];
	size_t k;
	int err;

	for (k = 0; k < options->n_knobs && !options->hook; k++) {
		const struct sweep_knob *knob = &options->knobs[k];

		if (knob->kind == SWEEP_KNOB_RATE && !knob_present(&sweep->knob))
			return complain("sweep", UBENCH_EXIT_FAILED,
					"%s has no " KNOB_NAME ": its driver is not the "
					"patched one (see ipoib-patch/README.md)",
					options->iface);
		if (knob->kind != SWEEP_KNOB_SETTING)
			continue;
		err = setting_read(&knob->setting, &sweep->knob, value, sizeof(value));
		if (err)
			return complain("sweep", UBENCH_EXIT_FAILED, "%s has no %s: %s",
					options->iface, knob->name, strerror(-err));
	}
	return -1;
}

/* True if this process may change what the sweep varies. */
static bool may_change(const struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	size_t k;

	for (k = 0; geteuid() && k < options->n_knobs; k++) {
		if (options->knobs[k].kind == SWEEP_KNOB_RATE && !knob_writable(&sweep->knob))
			return false;
		if (options->knobs[k].kind == SWEEP_KNOB_SETTING &&
		    !setting_may_write(&options->knobs[k].setting, &sweep->knob))
			return false;
	}
	return true;
}

int sweep_setup_knob(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	int err;

	if (!options->iface)
		return -1;
	err = knob_open(&sweep->knob, options->sysfs_root, options->iface);
	if (err == -ENODEV)
		return complain("sweep", UBENCH_EXIT_USAGE, "no such interface: %s",
				options->iface);
	if (err)
		return complain("sweep", UBENCH_EXIT_USAGE, "'%s' cannot be an interface: %s",
				options->iface, strerror(-err));
	err = check_presence(sweep);
	if (err < 0 && !may_change(sweep))
		err = complain("sweep", UBENCH_EXIT_FAILED, "not root: may not change %s of %s",
			       options->knobs[0].name, options->iface);
	return err;
}

/* The values of a knob that was given none. NULL if there are no usual ones. */
static const char *usual_values(const struct sweep_options *options, const struct sweep_knob *knob)
{
	switch (knob->kind) {
	case SWEEP_KNOB_RATE:
		return options->hook ? SWEEP_UNPATCHED ",1,4,8,16,32" : "1,4,8,16,32";
	case SWEEP_KNOB_SIGNAL:
		return "1,4,8,16,32";
	case SWEEP_KNOB_DRIVER:
		return SWEEP_UNPATCHED "," SWEEP_PATCHED;
	default:
		return NULL;
	}
}

/* Gives the knobs their values. What exceeds VERBS_UD's send queue is signaled when that is full: no limit. */
static int take_values(struct sweep *sweep, long rate_max)
{
	const struct sweep_options *options = sweep->options;
	const char *rates = options->rates, *list;
	char why[384];
	size_t k;

	for (k = 0; k < options->n_knobs; k++) {
		struct sweep_knob *knob = &sweep->plan.knobs[k];

		*knob = options->knobs[k];
		if (knob->n_values)
			continue;
		list = rates ? rates : usual_values(options, knob);
		rates = NULL;
		if (!list)
			return complain("sweep", UBENCH_EXIT_USAGE,
					"--knob %s has no values: write %s=V,V", knob->name, knob->name);
		if (sweep_knob_take_values(knob, list, knob->kind == SWEEP_KNOB_RATE ? rate_max : 0,
					   why, sizeof(why)))
			return complain("sweep", UBENCH_EXIT_USAGE, "%s", why);
	}
	sweep->plan.n_knobs = options->n_knobs;
	if (rates)
		return complain("sweep", UBENCH_EXIT_USAGE, "--rates, but every --knob has its values");
	if (sweep_plan_make(&sweep->plan, why, sizeof(why)))
		return complain("sweep", UBENCH_EXIT_USAGE, "%s", why);
	return -1;
}

static int check_rates(const struct sweep *sweep, long rate_max)
{
	long over = sweep_plan_has(&sweep->plan, SWEEP_KNOB_RATE) ?
			    sweep_plan_rate_over(&sweep->plan, rate_max) : 0;
	char range[48];

	if (!over)
		return -1;
	return complain("sweep", UBENCH_EXIT_USAGE, "bad rate '%ld': allowed are %s", over,
			knob_range_text(rate_max, range, sizeof(range)));
}

int sweep_setup_plan(struct sweep *sweep)
{
	const struct sweep_options *options = sweep->options;
	long rate_max = options->iface ? knob_rate_max(&sweep->knob) : 0;
	int ret;

	sweep->plan.repeats = options->repeats;
	sweep->plan.warmups = options->warmups;
	sweep->plan.has_drift_checks = options->has_drift_checks;
	sweep->plan.shuffled = !options->interleaved;
	sweep->plan.seed = options->seed;
	if (!options->has_seed && getrandom(&sweep->plan.seed, sizeof(sweep->plan.seed), 0) < 0)
		sweep->plan.seed = (uint32_t)time(NULL);
	ret = take_values(sweep, rate_max);
	if (ret < 0)
		ret = check_rates(sweep, rate_max);
	if (ret < 0 && sweep_plan_needs(&sweep->plan, true) && !options->hook)
		ret = complain("sweep", UBENCH_EXIT_USAGE,
			       "rate \"" SWEEP_UNPATCHED "\" needs --driver-hook CMD, "
			       "which loads either driver; without one compare with rate 1");
	return ret;
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

int sweep_setup_log(struct sweep *sweep)
{
	char path[PATH_MAX / 2];
	int err;

	name_output(sweep->options, path, sizeof(path));
	err = runlog_create(&sweep->log, path);
	if (err == -EEXIST)
		return complain("sweep", UBENCH_EXIT_USAGE, "%s is there already",
				sweep->log.final_dir);
	if (err == -EBUSY)
		return complain("sweep", UBENCH_EXIT_USAGE,
				"%s is there: another sweep writes it, or one was "
				"killed; finish that one with --resume, or remove it",
				sweep->log.work_dir);
	if (err)
		return complain("sweep", UBENCH_EXIT_FAILED, "cannot create %s: %s", path,
				strerror(-err));
	return -1;
}

/* Adds a setting to what is put back, after a trial of that: some attributes do not take what they show. */
static int note_setting(const struct sweep *sweep, const struct setting *setting,
			struct knob_state *before)
{
	char *value = before->settings[before->n_settings].value;

	/* What only the other driver has goes away with it. */
	if (setting_read(setting, &sweep->knob, value, SETTING_VALUE_MAX))
		return 0;
	before->settings[before->n_settings++].what = *setting;
	return setting_write(setting, &sweep->knob, value);
}

/* How everything that the sweep changes is now. -1, or the exit code. */
static int read_state(const struct sweep *sweep, struct knob_state *before)
{
	const struct sweep_options *options = sweep->options;
	size_t k;
	int err;

	memset(before, 0, sizeof(*before));
	strcpy(before->iface, sweep->knob.iface);
	if (options->hook)
		strcpy(before->hook, options->hook);
	before->patched = knob_present(&sweep->knob);
	err = before->patched ? knob_read(&sweep->knob, &before->rate) : 0;
	if (err)
		return complain("sweep", UBENCH_EXIT_FAILED,
				"cannot read " KNOB_NAME " of %s: %s", sweep->knob.iface,
				strerror(-err));
	for (k = 0; k < options->n_knobs; k++) {
		if (options->knobs[k].kind != SWEEP_KNOB_SETTING)
			continue;
		err = note_setting(sweep, &options->knobs[k].setting, before);
		if (err)
			return complain("sweep", UBENCH_EXIT_FAILED,
					"%s of %s could not be put back: %s", options->knobs[k].name,
					sweep->knob.iface, strerror(-err));
	}
	return -1;
}

int sweep_setup_guard(struct sweep *sweep, struct knob_state *before)
{
	bool adopted;
	int err;

	memset(before, 0, sizeof(*before));
	if (!sweep_options_change_interface(sweep->options))
		return -1;
	err = read_state(sweep, before);
	if (err >= 0)
		return err;
	err = sweep_guard_start(&sweep->guard, &sweep->knob, before, &adopted);
	if (err == -EBUSY)
		return complain("sweep", UBENCH_EXIT_FAILED, "another sweep of %s is running",
				sweep->knob.iface);
	if (err)
		return complain("sweep", UBENCH_EXIT_FAILED,
				"cannot record the state of %s in %s: %s", sweep->knob.iface,
				knob_state_dir(), strerror(-err));
	if (adopted)
		fprintf(stderr,
			"ubench sweep: a killed sweep left its record; %s will go back to "
			"the state before that one\n",
			sweep->knob.iface);
	return -1;
}

int sweep_setup_rates(struct sweep *sweep)
{
	char text[384];

	if (!sweep_options_change_interface(sweep->options) || !sweep_plan_needs(&sweep->plan, false))
		return -1;
	if (sweep->options->hook && sweep_run_driver(sweep, true, text, sizeof(text)))
		return complain("sweep", UBENCH_EXIT_FAILED, "%s", text);
	return check_rates(sweep, knob_rate_max(&sweep->knob));
}

/* The command line of the document as argv, one allocation; NULL if it is not all strings. */
static char **recorded_argv(const json_t *start, int *argc)
{
	const json_t *command = json_object_get(json_object_get(start, "start"), "command_line");
	size_t i, n = json_array_size(command), len = 0;
	const char *text;
	char **argv, *to;

	for (i = 1; i < n; i++) {
		text = json_string_value(json_array_get(command, i));
		if (!text)
			return NULL;
		len += strlen(text) + 1;
	}
	argv = n > 1 ? malloc(n * sizeof(*argv) + len) : NULL;
	if (!argv)
		return NULL;
	to = (char *)(argv + n);
	for (i = 1; i < n; i++) {
		argv[i - 1] = to;
		to = stpcpy(to, json_string_value(json_array_get(command, i))) + 1;
	}
	argv[n - 1] = NULL;
	*argc = (int)n - 1;
	return argv;
}

/* The seed and the repeats of the document, not of the command line, decide what is left. */
static int take_over(struct sweep *sweep, json_t *start, json_t *repeats)
{
	json_t *seed = json_object_get(json_object_get(start, "plan"), "seed"), *repeat;
	size_t i;

	sweep->resumed = true;
	sweep->run = start;
	if (json_is_integer(seed))
		sweep->plan.seed = (uint32_t)json_integer_value(seed);
	json_array_foreach(repeats, i, repeat)
		json_array_append(json_object_get(start, sweep_doc_place(repeat)), repeat);
	json_decref(repeats);
	/* Rounds that --until-ci added are not in the document that the sweep began with. */
	while (sweep->options->until_ci_percent > 0 &&
	       sweep_plan_steps(&sweep->plan) < sweep_run_finished(sweep))
		sweep->plan.repeats++;
	json_object_set_new(json_object_get(start, "plan"), "repeats",
			    json_integer(sweep->plan.repeats));
	if (sweep_run_finished(sweep) <= sweep_plan_steps(&sweep->plan))
		return -1;
	return complain("sweep", UBENCH_EXIT_FAILED, "%s holds more repeats than it has steps",
			sweep->log.work_dir);
}

int sweep_setup_resume(struct sweep *sweep, struct sweep_options *options, char ***argv_kept)
{
	json_t *start, *repeats;
	const char *cwd;
	char why[PATH_MAX + 64];
	int argc = 0, ret;

	if (runlog_reopen(&sweep->log, options->resume, &start, &repeats, why, sizeof(why)))
		return complain("sweep", UBENCH_EXIT_USAGE, "%s", why);
	*argv_kept = recorded_argv(start, &argc);
	sweep_options_free(options);
	ret = *argv_kept ? sweep_options_parse(options, argc, *argv_kept)
			 : complain("sweep", UBENCH_EXIT_FAILED, "%s holds no command line",
				    sweep->log.work_dir);
	/* Relative paths of that command line are relative to where it was typed. */
	cwd = json_string_value(json_object_get(json_object_get(start, "start"), "directory"));
	if (ret < 0 && cwd && chdir(cwd))
		ret = complain("sweep", UBENCH_EXIT_FAILED, "%s: %s", cwd, strerror(errno));
	if (ret < 0)
		ret = sweep_setup_knob(sweep);
	if (ret < 0)
		ret = sweep_setup_plan(sweep);
	if (ret < 0)
		return take_over(sweep, start, repeats);
	json_decref(start);
	json_decref(repeats);
	return ret;
}
