// SPDX-License-Identifier: GPL-2.0-or-later
/* --csv: the figures of one run as a line of comma-separated values. */
#include "result_csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "result.h"

static const char columns[] =
	"utc,test,host,peer,message_bytes,streams,seconds,sent_packets,sent_bytes,send_errors,"
	"sent_packets_per_second,sent_bits_per_second,received_packets,received_bytes,"
	"received_packets_per_second,received_bits_per_second,lost_packets,lost_percent,duplicates,"
	"out_of_order,foreign,jitter_ms,loss_sender_queue,loss_transmit_ring,loss_receive_ring,"
	"loss_receive_checksum,loss_receive_socket,loss_unknown,reverse_sent_packets_per_second,"
	"reverse_received_packets_per_second,reverse_lost_percent,error\n";

void result_csv_header(FILE *out)
{
	fputs(columns, out);
}

/* In quotes where the text needs them. */
static void text(FILE *out, const char *value)
{
	if (!value[strcspn(value, ",\"\n")]) {
		fprintf(out, "%s,", value);
		return;
	}
	putc('"', out);
	for (; *value; value++)
		fprintf(out, *value == '"' ? "\"\"" : "%c", *value);
	fputs("\",", out);
}

static void integer(FILE *out, int is_known, uint64_t value)
{
	if (is_known)
		fprintf(out, "%" PRIu64, value);
	putc(',', out);
}

static void real(FILE *out, int is_known, double value)
{
	if (is_known && isfinite(value))
		fprintf(out, "%.6g", value);
	putc(',', out);
}

static void sent(FILE *out, const struct result_sent *s)
{
	real(out, 1, s->seconds);
	integer(out, 1, s->packets);
	integer(out, 1, s->bytes);
	integer(out, 1, s->send_errors);
	real(out, 1, result_rate(s->packets, s->seconds));
	real(out, 1, 8 * result_rate(s->bytes, s->seconds));
}

static void received(FILE *out, const struct result_received *rx)
{
	const int has_packets = rx->is_known && !rx->is_byte_stream;
	const int has_order = has_packets && rx->is_sequenced;

	integer(out, has_packets, rx->packets);
	integer(out, rx->is_known, rx->bytes);
	real(out, has_packets, result_rate(rx->packets, rx->seconds));
	real(out, rx->is_known, 8 * result_rate(rx->bytes, rx->seconds));
	integer(out, has_packets, rx->lost_packets);
	real(out, has_packets, result_lost_percent(rx));
	integer(out, has_order, rx->duplicates);
	integer(out, has_order, rx->out_of_order);
	integer(out, has_packets, rx->foreign);
	real(out, has_order, rx->jitter_ms);
}

static void loss(FILE *out, const struct ubench_result *r)
{
	integer(out, r->received.is_known, r->loss.sender_queue);
	integer(out, r->received.is_known, r->loss.transmit_ring);
	integer(out, r->received.is_known, r->loss.receive_ring);
	integer(out, r->received.is_known, r->loss.receive_checksum);
	integer(out, r->received.is_known, r->loss.receive_socket);
	integer(out, r->received.is_known, r->loss.unknown);
}

static void reverse(FILE *out, const struct ubench_result *r)
{
	const struct result_received *rx = r ? &r->received : NULL;
	const int has_packets = rx && rx->is_known && !rx->is_byte_stream;

	real(out, r != NULL, r ? result_rate(r->sent.packets, r->sent.seconds) : 0);
	real(out, has_packets, rx ? result_rate(rx->packets, rx->seconds) : 0);
	real(out, has_packets, rx ? result_lost_percent(rx) : 0);
}

void result_csv_row(FILE *out, const struct ubench_result *r)
{
	text(out, r->utc);
	text(out, r->test);
	text(out, r->host);
	text(out, r->peer);
	integer(out, 1, r->message_bytes);
	integer(out, 1, r->n_streams);
	sent(out, &r->sent);
	received(out, &r->received);
	loss(out, r);
	reverse(out, r->reverse);
	fprintf(out, "%d\n", r->error.code);
}
