// SPDX-License-Identifier: GPL-2.0-or-later
/* Results for people, in the columns that netperf 2 made familiar. */
#include "report_text.h"

#include <inttypes.h>

#include "result.h"

static double mbit_s(uint64_t bytes, double seconds)
{
	return 8e-6 * result_rate(bytes, seconds);
}

static void udp_headers(FILE *out, const struct ubench_result *r)
{
	fprintf(out, "UDP STREAM TEST from %s to %s\n", r->host, r->peer);
	fputs("Socket  Message  Elapsed      Messages                \n"
	      "Size    Size     Time         Okay Errors   Throughput\n"
	      "bytes   bytes    secs            #      #   10^6bits/sec\n\n", out);
}

void report_text_udp(FILE *out, const struct ubench_result *r, int print_headers)
{
	const struct result_received *rx = &r->received;

	if (print_headers)
		udp_headers(out, r);
	fprintf(out, "%6" PRIu64 "  %6" PRIu64 "   %-6.2f  %9" PRIu64 " %6" PRIu64 " %10.2f\n",
		r->send_socket_bytes, r->message_bytes, r->sent.seconds, r->sent.packets,
		r->sent.send_errors, mbit_s(r->sent.bytes, r->sent.seconds));
	if (!rx->is_known) {
		fprintf(out, "\nPPS=%.0f RX_PPS=- LOSS=-\n",
			result_rate(r->sent.packets, r->sent.seconds));
		return;
	}
	fprintf(out, "%6" PRIu64 "           %-6.2f  %9" PRIu64 " %17.2f\n\n",
		r->recv_socket_bytes, rx->seconds, rx->packets, mbit_s(rx->bytes, rx->seconds));
	fprintf(out, "PPS=%.0f RX_PPS=%.0f LOSS=%.3f\n",
		result_rate(r->sent.packets, r->sent.seconds),
		result_rate(rx->packets, rx->seconds), result_lost_percent(rx));
}

static void tcp_headers(FILE *out, const struct ubench_result *r)
{
	fprintf(out, "TCP STREAM TEST from %s to %s\n", r->host, r->peer);
	fputs("Recv   Send    Send                          \n"
	      "Socket Socket  Message  Elapsed              \n"
	      "Size   Size    Size     Time     Throughput  \n"
	      "bytes  bytes   bytes    secs.    10^6bits/sec  \n\n", out);
}

void report_text_tcp(FILE *out, const struct ubench_result *r, int print_headers)
{
	const struct result_received *rx = &r->received;
	double sent = mbit_s(r->sent.bytes, r->sent.seconds);

	if (print_headers)
		tcp_headers(out, r);
	fprintf(out, "%6" PRIu64 " %6" PRIu64 " %6" PRIu64 "    %-6.2f   %7.2f   \n\n",
		r->recv_socket_bytes, r->send_socket_bytes, r->message_bytes, r->sent.seconds,
		rx->is_known ? mbit_s(rx->bytes, rx->seconds) : sent);
	if (rx->is_known)
		fprintf(out, "SEND=%.2f RECV=%.2f\n", sent, mbit_s(rx->bytes, rx->seconds));
	else
		fprintf(out, "SEND=%.2f RECV=-\n", sent);
}

static void rr_headers(FILE *out, const struct ubench_result *r)
{
	fprintf(out, "UDP REQUEST/RESPONSE TEST from %s to %s\n", r->host, r->peer);
	fputs("Local /Remote\n"
	      "Socket Size   Request  Elapsed  Trans.\n"
	      "Send   Recv   Size     Time     Rate         \n"
	      "bytes  Bytes  bytes    secs.    per sec   \n\n", out);
}

void report_text_rr(FILE *out, const struct ubench_result *r, int print_headers)
{
	uint64_t transactions = result_transactions(r), p50_ns = 0, p99_ns = 0;
	const bool at_client = transactions > 0 || !r->received.is_known;
	size_t i;

	for (i = 0; i < r->n_streams; i++) {
		const struct result_gaps *t = &r->streams[i].round_trips;

		p50_ns = t->p50_ns > p50_ns ? t->p50_ns : p50_ns;
		p99_ns = t->p99_ns > p99_ns ? t->p99_ns : p99_ns;
	}
	if (!at_client)
		transactions = r->received.packets;
	if (print_headers)
		rr_headers(out, r);
	fprintf(out, "%-6" PRIu64 " %-6" PRIu64 " %-8" PRIu64 " %-8.2f %-9.2f\n\n",
		r->send_socket_bytes, r->recv_socket_bytes, r->message_bytes, r->sent.seconds,
		result_rate(transactions, r->sent.seconds));
	fprintf(out, "TPS=%.2f", result_rate(transactions, r->sent.seconds));
	if (at_client)
		fprintf(out, " RTT_P50_US=%.1f RTT_P99_US=%.1f TIMEOUTS=%" PRIu64,
			1e-3 * (double)p50_ns, 1e-3 * (double)p99_ns,
			r->sent.packets - transactions);
	fputc('\n', out);
}
