// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of summary.csv, in one table. */
#include "report_csv.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "report_summary.h"

static void put_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_number(FILE *out, double value, int decimals)
{
	fputc(',', out);
	if (isfinite(value))
		fprintf(out, "%.*f", decimals, value);
}

/* Runs that vary no knob, such as other people's published bit rates. */
static void bit_rates(FILE *out, const struct summary *summary)
{
	size_t i;

	fputs("case,sender_mbit_s,receiver_mbit_s\n", out);
	for (i = 0; i < summary->n_points; i++) {
		put_text(out, summary->points[i].label);
		put_number(out, summary->points[i].median[METRIC_SENDER_MBIT], 6);
		put_number(out, summary->points[i].median[METRIC_RECEIVER_MBIT], 6);
		fputc('\n', out);
	}
}

/* The columns behind those that name the point. */
static const struct {
	enum metric metric;
	int decimals;
} metrics_before[] = {
	{ METRIC_SENDER_PPS, 1 }, { METRIC_RECEIVER_PPS, 1 }, { METRIC_LOSS_PERCENT, 4 },
	{ METRIC_CQES_PER_PACKET, 6 }, { METRIC_EVENTS_PER_PACKET, 6 },
}, metrics_behind[] = {
	{ METRIC_SENDER_CPU_US, 3 }, { METRIC_RECEIVER_CPU_US, 3 }, { METRIC_HELD_PACKETS, 0 },
	{ METRIC_HELD_USECS, 0 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void header(FILE *out, const struct summary *summary)
{
	size_t i;

	put_text(out, summary_knob(summary));
	if (summary->slice_knob) {
		fputc(',', out);
		put_text(out, summary->slice_knob);
	}
	for (i = 0; i < COUNT(metrics_before); i++)
		fprintf(out, ",%s", metric_names[metrics_before[i].metric]);
	fputs(",ratio_to_unpatched,spread_percent", out);
	for (i = 0; i < COUNT(metrics_behind); i++)
		fprintf(out, ",%s", metric_names[metrics_behind[i].metric]);
	fputs(",ratio_to_baseline\n", out);
}

static void line(FILE *out, const struct summary *summary, const struct summary_point *point)
{
	size_t i;

	put_text(out, point->label);
	if (summary->slice_value) {
		fputc(',', out);
		put_text(out, summary->slice_value);
	}
	for (i = 0; i < COUNT(metrics_before); i++)
		put_number(out, point->median[metrics_before[i].metric], metrics_before[i].decimals);
	put_number(out, summary_ratio_to_unpatched(summary, point), 4);
	put_number(out, point->spread_percent, 2);
	for (i = 0; i < COUNT(metrics_behind); i++)
		put_number(out, point->median[metrics_behind[i].metric], metrics_behind[i].decimals);
	put_number(out, point->ratio, 4);
	fputc('\n', out);
}

static void slice(FILE *out, const struct summary *summary)
{
	size_t i;

	if (!summary_knob(summary)) {
		bit_rates(out, summary);
		return;
	}
	if (!summary->slice)
		header(out, summary);
	for (i = 0; i < summary->n_points; i++)
		line(out, summary, &summary->points[i]);
}

int report_csv(FILE *out, const json_t *run)
{
	struct summary summary;
	size_t i;
	int err;

	for (i = 0; i < summary_slices(run); i++) {
		err = summary_init_slice(&summary, run, "", i);
		if (err)
			return err;
		slice(out, &summary);
		summary_free(&summary);
	}
	return 0;
}
