// SPDX-License-Identifier: GPL-2.0-or-later
/* Interim results: one row per interval, printed in netperf's words and kept for the JSON document. */
#include "interim.h"

#include <inttypes.h>

#include "clock.h"
#include "event_stream.h"
#include "keywords.h"

/* A sender still in its warm-up starts its counters again. */
static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void show(struct interim *in, const struct result_interval *row)
{
	if (in->has_events)
		event_stream_interval(row);
	if (in->has_keywords)
		keywords_interim(stdout, in->n++, row, in->has_transactions);
	if (in->out) {
		fprintf(in->out, "Interim result: %7.2f %s over %.3f seconds ending at %.3f\n",
			in->has_transactions ? result_rate(row->packets, row->seconds) :
					       8e-6 * result_rate(row->bytes, row->seconds),
			in->has_transactions ? "Trans/s" : "10^6bits/s", row->seconds,
			row->ending_epoch_s);
		if (row->has_received)
			fprintf(in->out, "Interim receiver: %" PRIu64 " packets in, %" PRIu64 " out\n",
				row->received_packets, row->packets);
	}
	fflush(stdout);
}

void interim_row(struct interim *in, int64_t now_ns, const struct result_sent *totals,
		 const uint64_t *arrived)
{
	struct result_interval row = {
		.start_seconds = 1e-9 * (double)(in->last_ns - in->start_ns),
		.seconds = 1e-9 * (double)(now_ns - in->last_ns),
		.ending_epoch_s = clock_epoch_s() - 1e-9 * (double)(clock_now_ns() - now_ns),
		.bytes = grown(totals->bytes, in->last.bytes),
		.packets = grown(totals->packets, in->last.packets),
		.send_errors = grown(totals->send_errors, in->last.send_errors),
	};

	if (arrived) {
		row.has_received = true;
		row.received_packets = grown(*arrived, in->last_arrived);
		in->last_arrived = *arrived;
	}
	in->last_ns = now_ns;
	in->last = *totals;
	/* Out of memory costs the document a row, not the user the run. */
	(void)result_add_interval(in->result, &row);
	show(in, &row);
}

void interim_end(struct interim *in, int64_t end_ns, const struct result_sent *totals)
{
	if (in->interval_ns && end_ns - in->last_ns > in->interval_ns / 10)
		interim_row(in, end_ns, totals, NULL);
}
