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
