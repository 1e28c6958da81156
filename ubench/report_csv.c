// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of summary.csv, in one table. */
#include "report_csv.h"

#include <math.h>
#include <string.h>

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

void report_csv(FILE *out, const struct summary *summary)
{
	const struct summary_point *point;
	size_t i;

	if (!summary_knob(summary)) {
		bit_rates(out, summary);
		return;
	}
	fputs("tx_signal_rate,sender_pps,receiver_pps,loss_percent,cqes_per_packet,"
	      "events_per_packet,ratio_to_unpatched,spread_percent\n", out);
	for (i = 0; i < summary->n_points; i++) {
		point = &summary->points[i];
		put_text(out, point->label);
		put_number(out, point->median[METRIC_SENDER_PPS], 1);
		put_number(out, point->median[METRIC_RECEIVER_PPS], 1);
		put_number(out, point->median[METRIC_LOSS_PERCENT], 4);
		put_number(out, point->median[METRIC_CQES_PER_PACKET], 6);
		put_number(out, point->median[METRIC_EVENTS_PER_PACKET], 6);
		put_number(out, summary_ratio_to_unpatched(summary, point), 4);
		put_number(out, point->spread_percent, 2);
		fputc('\n', out);
	}
}
