// SPDX-License-Identifier: GPL-2.0-or-later
/* `ubench report`: what can be done with stored runs. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "cmd.h"
#include "complain.h"
#include "report.h"
#include "report_csv.h"
#include "report_flent.h"
#include "report_html.h"
#include "runlog.h"
#include "schema.h"

static const char help[] =
	"usage: ubench report [options] RUN...\n"
	"\n"
	"Prints the tables of stored runs (directories made by ubench sweep), and runs side by side.\n"
	"\n"
	"      --merge DIR   make one run of all: same rates and test, repeats put together\n"
	"      --flent       print the (one) run in flent's data format instead\n"
	"      --csv         print summary.csv of each run instead of tables\n"
	"      --check       check each run against the schema (results/run.schema.json) and its own\n"
	"                    figures; one line for each that fails\n"
	"      --html FILE   write one self-contained page with tables and plots (needs gnuplot)\n"
	"      --compare RUN show this run beside the others; may be repeated\n"
	"  -h, --help\n"
	"\n"
	"Exit codes: 0 ok, 1 a run cannot be read or written, 2 usage.\n";

struct report_options {
	const char *merge;
	const char *html;
	int csv;
	int check;
	int flent;
	const char *compare[REPORT_MAX_RUNS];
	size_t n_compare;
};

/* Tables of each run; the runs of --compare only stand beside them. */
static void print_runs(const struct report_runs *runs, const struct report_runs *compared)
{
	const struct report_runs none = { 0 };
	struct report_runs others = *compared;
	size_t i;

	if (runs->n == 1) {
		report_print(stdout, runs->docs[0], runs->names[0], compared);
		return;
	}
	for (i = 0; i < runs->n; i++) {
		printf("Run %s\n\n", runs->names[i]);
		report_print(stdout, runs->docs[i], runs->names[i], &none);
	}
	for (i = 1; i < runs->n && others.n < REPORT_MAX_RUNS; i++) {
		others.docs[others.n] = runs->docs[i];
		strcpy(others.names[others.n++], runs->names[i]);
	}
	report_print_compared(stdout, runs->docs[0], runs->names[0], &others);
}

static void print_csv(const struct report_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->n; i++)
		report_csv(stdout, runs->docs[i]);
}

static int merge(const struct report_runs *runs, const char *dir)
{
	const struct report_runs none = { 0 };
	struct runlog log;
	char why[384];
	json_t *merged = report_merge(runs, why, sizeof(why));
	int err;

	if (!merged)
		return complain("report", UBENCH_EXIT_FAILED, "%s", why);
	err = report_aggregate(merged);
	if (!err)
		err = runlog_create(&log, dir);
	if (!err) {
		err = runlog_publish(&log, merged);
		if (err)
			runlog_discard(&log);
	}
	if (!err) {
		report_print(stdout, merged, dir, &none);
		puts(log.final_dir);
	}
	json_decref(merged);
	return err ? complain("report", UBENCH_EXIT_FAILED, "cannot write %s: %s", dir,
			      strerror(-err))
		   : UBENCH_EXIT_OK;
}

/* As json_equal(), but a number is its value: other programs write 5.0 as 5. */
static bool is_same(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	size_t i;

	if (json_is_number(a) && json_is_number(b))
		return json_number_value(a) == json_number_value(b);
	if (json_typeof(a) != json_typeof(b) || json_array_size(a) != json_array_size(b) ||
	    json_object_size(a) != json_object_size(b))
		return false;
	json_array_foreach((json_t *)a, i, value)
		if (!is_same(value, json_array_get(b, i)))
			return false;
	json_object_foreach((json_t *)a, key, value)
		if (!json_object_get(b, key) || !is_same(value, json_object_get(b, key)))
			return false;
	return json_is_array(a) || json_is_object(a) || json_equal((json_t *)a, (json_t *)b);
}

/* A difference between the stored aggregates and those of the repeats, or NULL. */
static const char *stale_part(const json_t *run)
{
	static const char *const derived[] = { "points", "findings" };
	json_t *fresh = json_deep_copy(run);
	const char *stale = NULL;
	size_t i;

	report_aggregate(fresh);
	for (i = 0; !stale && i < sizeof(derived) / sizeof(derived[0]); i++)
		if (json_object_get(run, derived[i]) &&
		    !is_same(json_object_get(run, derived[i]), json_object_get(fresh, derived[i])))
			stale = derived[i];
	json_decref(fresh);
	return stale;
}

static int check_runs(const struct report_runs *runs)
{
	json_t *schema = schema_of_run();
	int ret = UBENCH_EXIT_OK;
	const char *stale;
	char why[640];
	size_t i;

	for (i = 0; i < runs->n; i++) {
		if (schema_check(schema, runs->docs[i], why, sizeof(why))) {
			ret = complain("report", UBENCH_EXIT_FAILED, "%s: %s", runs->names[i], why);
			continue;
		}
		stale = stale_part(runs->docs[i]);
		if (stale)
			ret = complain("report", UBENCH_EXIT_FAILED,
				       "%s: %s: not what the repeats give", runs->names[i], stale);
	}
	json_decref(schema);
	return ret;
}

static int print_flent(const struct report_runs *runs)
{
	json_t *flent;

	if (runs->n != 1)
		return complain("report", UBENCH_EXIT_USAGE, "--flent takes one run");
	flent = report_flent(runs->docs[0], runs->names[0]);
	if (!flent)
		return complain("report", UBENCH_EXIT_FAILED,
				"%s: its repeats have no time, so they make no "
				"time series",
				runs->names[0]);
	json_dumpf(flent, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
	putchar('\n');
	json_decref(flent);
	return UBENCH_EXIT_OK;
}

static int write_html(const struct report_runs *runs, const struct report_runs *compared,
		      const char *path)
{
	struct report_runs all = *runs;
	char why[512];
	size_t i;

	for (i = 0; i < compared->n && all.n < REPORT_MAX_RUNS; i++) {
		all.docs[all.n] = compared->docs[i];
		strcpy(all.names[all.n++], compared->names[i]);
	}
	if (report_html(path, &all, why, sizeof(why)))
		return complain("report", UBENCH_EXIT_FAILED, "%s", why);
	return UBENCH_EXIT_OK;
}

static int parse_one(struct report_options *options, int option)
{
	switch (option) {
	case 'm':
		options->merge = optarg;
		return -1;
	case 't':
		options->html = optarg;
		return -1;
	case 'k':
		options->check = 1;
		return -1;
	case 'f':
		options->flent = 1;
		return -1;
	case 'c':
		options->csv = 1;
		return -1;
	case 'b':
		if (options->n_compare == REPORT_MAX_RUNS)
			return complain("report", UBENCH_EXIT_USAGE, "too many --compare");
		options->compare[options->n_compare++] = optarg;
		return -1;
	case 'h':
		fputs(help, stdout);
		return UBENCH_EXIT_OK;
	default:
		fputs("see ubench report --help\n", stderr);
		return UBENCH_EXIT_USAGE;
	}
}

static int parse(struct report_options *options, int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "merge", required_argument, NULL, 'm' },
		{ "check", no_argument, NULL, 'k' },
		{ "flent", no_argument, NULL, 'f' },
		{ "html", required_argument, NULL, 't' },
		{ "csv", no_argument, NULL, 'c' },
		{ "compare", required_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int option, ret = -1;

	optind = 0;
	while (ret < 0 && (option = getopt_long(argc, argv, "h", long_options, NULL)) >= 0)
		ret = parse_one(options, option);
	if (ret < 0 && optind == argc)
		ret = complain("report", UBENCH_EXIT_USAGE,
			       "no run given; see ubench report --help");
	return ret;
}

int cmd_report(int argc, char **argv)
{
	struct report_runs runs = { 0 }, compared = { 0 };
	struct report_options options = { 0 };
	int ret = parse(&options, argc, argv);

	if (ret < 0)
		ret = report_load(&runs, (const char *const *)argv + optind,
				  (size_t)(argc - optind));
	if (ret < 0)
		ret = report_load(&compared, options.compare, options.n_compare);
	if (ret < 0) {
		ret = UBENCH_EXIT_OK;
		if (options.merge)
			ret = merge(&runs, options.merge);
		else if (options.check)
			ret = check_runs(&runs);
		else if (options.flent)
			ret = print_flent(&runs);
		else if (options.html)
			ret = write_html(&runs, &compared, options.html);
		else if (options.csv)
			print_csv(&runs);
		else
			print_runs(&runs, &compared);
	}
	report_unload(&runs);
	report_unload(&compared);
	return ret;
}
