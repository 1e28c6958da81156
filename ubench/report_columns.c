// SPDX-License-Identifier: GPL-2.0-or-later
/* Which figures a summary shows, under which names. */
#include "report_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_summary.h"

/* Not metrics, but figures of a point like them. */
enum { COLUMN_RATIO = METRICS, COLUMN_SPREAD };

const struct report_column report_columns[REPORT_COLUMNS] = {
	{ "sender PPS", METRIC_SENDER_PPS, 0 },
	{ "recv PPS", METRIC_RECEIVER_PPS, 0 },
	{ "sent Mbit/s", METRIC_SENDER_MBIT, 3 },
	{ "recv Mbit/s", METRIC_RECEIVER_MBIT, 3 },
	{ "loss %", METRIC_LOSS_PERCENT, 2 },
	{ "CQE/pkt", METRIC_CQES_PER_PACKET, 4 },
	{ "event/pkt", METRIC_EVENTS_PER_PACKET, 4 },
	{ "ns/pkt", METRIC_NS_PER_PACKET, 1 },
	{ "CPU us/pkt", METRIC_SENDER_CPU_US, 2 },
	{ "recv CPU us", METRIC_RECEIVER_CPU_US, 2 },
	{ "held pkts", METRIC_HELD_PACKETS, 0 },
	{ "held us", METRIC_HELD_USECS, 0 },
	{ "ratio", COLUMN_RATIO, 3 },
	{ "spread %", COLUMN_SPREAD, 2 },
};

double report_figure(const struct summary_point *point, const struct report_column *column)
{
	if (column->what == COLUMN_RATIO)
		return point->ratio;
	if (column->what == COLUMN_SPREAD)
		return point->spread_percent;
	return point->median[column->what];
}

bool report_column_is_shown(const struct summary *summary, const struct report_column *column)
{
	size_t i;

	if ((column->what == METRIC_SENDER_MBIT || column->what == METRIC_RECEIVER_MBIT) &&
	    summary_knows(summary, METRIC_SENDER_PPS))
		return false;
	if (column->what == METRIC_SENDER_PPS || column->what == METRIC_RECEIVER_PPS)
		return summary_knows(summary, METRIC_SENDER_PPS);
	for (i = 0; i < summary->n_points; i++)
		if (isfinite(report_figure(&summary->points[i], column)))
			return true;
	return false;
}

const char *report_figure_text(double value, int decimals, char *buf, size_t buf_len)
{
	if (isfinite(value))
		snprintf(buf, buf_len, "%.*f", decimals, value);
	else
		snprintf(buf, buf_len, "-");
	return buf;
}

const char *report_point_title(const struct summary *summary)
{
	const char *knob = summary_knob(summary);

	return !knob ? "case" : strcmp(knob, "tx_signal_rate") ? knob : "rate";
}
