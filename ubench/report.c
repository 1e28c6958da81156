// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads stored runs, derives their aggregates and prints them. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cmd.h"
#include "complain.h"
#include "report_findings.h"
#include "report_summary.h"
#include "report_table.h"
#include "runlog.h"

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
			return complain("report", UBENCH_EXIT_USAGE, "more than %d runs",
					REPORT_MAX_RUNS);
		runs->docs[runs->n] = runlog_load(paths[i], why, sizeof(why));
		if (!runs->docs[runs->n])
			return complain("report", UBENCH_EXIT_FAILED, "%s", why);
		set_name(runs->names[runs->n], sizeof(runs->names[0]), paths[i]);
		if (summary_init(&summary, runs->docs[runs->n++], ""))
			return complain("report", UBENCH_EXIT_FAILED,
					"%s: not a run of ubench sweep", paths[i]);
		summary_free(&summary);
	}
	return -1;
}

void report_unload(struct report_runs *runs)
{
	while (runs->n)
		json_decref(runs->docs[--runs->n]);
}

/* Summaries of all runs, a grid's slices one by one, as many as fit; returns their number. */
static size_t summarize(struct summary *summaries, size_t max, const json_t *run, const char *name,
			const struct report_runs *others)
{
	size_t n = 0, i, slice;

	for (slice = 0; slice < summary_slices(run) && n < max; slice++)
		n += !summary_init_slice(&summaries[n], run, name, slice);
	for (i = 0; i < others->n; i++)
		for (slice = 0; slice < summary_slices(others->docs[i]) && n < max; slice++)
			n += !summary_init_slice(&summaries[n], others->docs[i], others->names[i], slice);
	return n;
}

void report_print_compared(FILE *out, const struct json_t *first, const char *name,
			   const struct report_runs *others)
{
	struct summary *summaries = calloc(SUMMARY_MAX_SLICES, sizeof(*summaries));
	size_t n, i;

	if (!summaries)
		abort();
	n = summarize(summaries, SUMMARY_MAX_SLICES, first, name, others);
	report_table_compare(out, summaries, n);
	for (i = 0; i < n; i++)
		summary_free(&summaries[i]);
	free(summaries);
}

/* Aggregates of the slices; the summaries must live as long as the findings. */
static void aggregate(json_t *run, struct summary *summaries, struct findings *findings, size_t n)
{
	json_t *points = json_array();
	size_t i;

	for (i = 0; i < n; i++) {
		findings_init(&findings[i], &summaries[i]);
		summary_to_json(&summaries[i], points);
	}
	json_object_set_new(run, "points", points);
	json_object_set_new(run, "findings", findings_to_json(findings, n));
	for (i = 0; i < n; i++)
		findings_free(&findings[i]);
}

int report_aggregate(json_t *run)
{
	size_t n = summary_slices(run), i = 0;
	struct summary *summaries = calloc(n, sizeof(*summaries));
	struct findings *findings = calloc(n, sizeof(*findings));
	int err = summaries && findings ? 0 : -ENOMEM;

	for (; !err && i < n; i++) {
		err = summary_init_slice(&summaries[i], run, "", i);
		if (err)
			break;
	}
	if (!err)
		aggregate(run, summaries, findings, n);
	while (i > 0)
		summary_free(&summaries[--i]);
	free(summaries);
	free(findings);
	return err;
}

static void print_slice(FILE *out, const struct summary *summary)
{
	struct findings findings;

	if (summary->slice_knob)
		fprintf(out, "With %s %s\n\n", summary->slice_knob, summary->slice_value);
	report_table_netperf(out, summary);
	report_table_summary(out, summary);
	findings_init(&findings, summary);
	fputc('\n', out);
	findings_print(out, &findings);
	findings_free(&findings);
	fputc('\n', out);
}

void report_print(FILE *out, const json_t *run, const char *path, const struct report_runs *others)
{
	size_t slices = summary_slices(run), i;
	struct summary summary;
	char name[128];

	set_name(name, sizeof(name), path);
	for (i = 0; i < slices; i++) {
		if (summary_init_slice(&summary, run, name, i))
			return;
		print_slice(out, &summary);
		summary_free(&summary);
	}
	if (!others->n && slices < 2)
		return;
	report_print_compared(out, run, name, others);
	fputc('\n', out);
}
