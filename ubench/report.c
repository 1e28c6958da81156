// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads stored runs, derives their aggregates and prints them. */
#include "report.h"

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

void report_print_compared(FILE *out, const struct json_t *first, const char *name,
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
	report_print_compared(out, run, name, others);
	fputc('\n', out);
}
