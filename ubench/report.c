// SPDX-License-Identifier: GPL-2.0-or-later
/* `ubench report`: tables of stored runs. */
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include <jansson.h>

#include "cmd.h"
#include "report_csv.h"
#include "report_findings.h"
#include "report_summary.h"
#include "report_table.h"
#include "runlog.h"

static const char help[] =
	"usage: ubench report [options] RUN...\n"
	"\n"
	"Prints the tables of stored runs (directories made by ubench sweep), and runs side by side.\n"
	"\n"
	"      --merge DIR   make one run of all: same rates and test, repeats put together\n"
	"      --csv         print summary.csv of each run instead of tables\n"
	"      --compare RUN show this run beside the others; may be repeated\n"
	"  -h, --help\n"
	"\n"
	"Exit codes: 0 ok, 1 a run cannot be read or written, 2 usage.\n";

struct report_options {
	const char *merge;
	int csv;
	const char *compare[REPORT_MAX_RUNS];
	size_t n_compare;
};

__attribute__((format(printf, 2, 3)))
static int fail(int exit_code, const char *format, ...)
{
	va_list args;

	fputs("ubench report: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return exit_code;
}

static void set_name(char *name, size_t name_len, const char *path)
{
	size_t len = strlen(path);
	const char *base;

	while (len > 1 && path[len - 1] == '/')
		len--;
	base = memrchr(path, '/', len);
	base = base && base + 1 < path + len ? base + 1 : path;
	snprintf(name, name_len, "%.*s", (int)(path + len - base), base);
}

int report_load(struct report_runs *runs, const char *const *paths, size_t n)
{
	struct summary summary;
	char why[512];
	size_t i;

	for (i = 0; i < n; i++) {
		if (runs->n == REPORT_MAX_RUNS)
			return fail(UBENCH_EXIT_USAGE, "more than %d runs", REPORT_MAX_RUNS);
		runs->docs[runs->n] = runlog_load(paths[i], why, sizeof(why));
		if (!runs->docs[runs->n])
			return fail(UBENCH_EXIT_FAILED, "%s", why);
		set_name(runs->names[runs->n], sizeof(runs->names[0]), paths[i]);
		if (summary_init(&summary, runs->docs[runs->n++], ""))
			return fail(UBENCH_EXIT_FAILED, "%s: not a run of ubench sweep", paths[i]);
		summary_free(&summary);
	}
	return -1;
}

void report_unload(struct report_runs *runs)
{
	while (runs->n)
		json_decref(runs->docs[--runs->n]);
}

static void print_compared(FILE *out, const struct json_t *first, const char *name,
			   const struct report_runs *others)
{
	struct summary summaries[1 + REPORT_MAX_RUNS];
	size_t n = 0, i;

	summary_init(&summaries[n++], first, name);
	for (i = 0; i < others->n; i++)
		summary_init(&summaries[n++], others->docs[i], others->names[i]);
	report_table_compare(out, summaries, n);
	for (i = 0; i < n; i++)
		summary_free(&summaries[i]);
}

int report_aggregate(json_t *run)
{
	struct findings findings;
	struct summary summary;
	int err = summary_init(&summary, run, "");

	if (err)
		return err;
	findings_init(&findings, &summary);
	json_object_set_new(run, "points", summary_to_json(&summary));
	json_object_set_new(run, "findings", findings_to_json(&findings));
	findings_free(&findings);
	summary_free(&summary);
	return 0;
}

void report_print(FILE *out, const json_t *run, const char *path, const struct report_runs *others)
{
	struct findings findings;
	struct summary summary;
	char name[128];

	set_name(name, sizeof(name), path);
	if (summary_init(&summary, run, name))
		return;
	report_table_netperf(out, &summary);
	report_table_summary(out, &summary);
	findings_init(&findings, &summary);
	fputc('\n', out);
	findings_print(out, &findings);
	findings_free(&findings);
	summary_free(&summary);
	fputc('\n', out);
	if (!others->n)
		return;
	print_compared(out, run, name, others);
	fputc('\n', out);
}

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
	print_compared(stdout, runs->docs[0], runs->names[0], &others);
}

static void print_csv(const struct report_runs *runs)
{
	struct summary summary;
	size_t i;

	for (i = 0; i < runs->n; i++) {
		if (summary_init(&summary, runs->docs[i], ""))
			continue;
		report_csv(stdout, &summary);
		summary_free(&summary);
	}
}

static int merge(const struct report_runs *runs, const char *dir)
{
	const struct report_runs none = { 0 };
	struct runlog log;
	char why[384];
	json_t *merged = report_merge(runs, why, sizeof(why));
	int err;

	if (!merged)
		return fail(UBENCH_EXIT_FAILED, "%s", why);
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
	return err ? fail(UBENCH_EXIT_FAILED, "cannot write %s: %s", dir, strerror(-err)) :
		     UBENCH_EXIT_OK;
}

static int parse(struct report_options *options, int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "merge", required_argument, NULL, 'm' },
		{ "csv", no_argument, NULL, 'c' },
		{ "compare", required_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) >= 0) {
		switch (option) {
		case 'm':
			options->merge = optarg;
			break;
		case 'c':
			options->csv = 1;
			break;
		case 'b':
			if (options->n_compare == REPORT_MAX_RUNS)
				return fail(UBENCH_EXIT_USAGE, "too many --compare");
			options->compare[options->n_compare++] = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return UBENCH_EXIT_OK;
		default:
			fputs("see ubench report --help\n", stderr);
			return UBENCH_EXIT_USAGE;
		}
	}
	if (optind == argc)
		return fail(UBENCH_EXIT_USAGE, "no run given; see ubench report --help");
	return -1;
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
		else if (options.csv)
			print_csv(&runs);
		else
			print_runs(&runs, &compared);
	}
	report_unload(&runs);
	report_unload(&compared);
	return ret;
}
