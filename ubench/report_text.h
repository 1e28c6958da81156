/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for people: netperf's classic tables and the line after them. */
#ifndef UBENCH_REPORT_TEXT_H
#define UBENCH_REPORT_TEXT_H

#include <stdio.h>

struct ubench_result;

/*
 * netperf's two-line UDP table, then PPS=<sender> RX_PPS=<receiver>
 * LOSS=<percent>. Without a receiver's count (-N) its line is left out and
 * its figures are "-". print_headers is netperf's -P.
 */
void report_text_udp(FILE *out, const struct ubench_result *r, int print_headers);

/*
 * netperf's TCP stream table (throughput: what the receiver got), then
 * SEND=<sender> RECV=<receiver>, both in 10^6bits/s.
 */
void report_text_tcp(FILE *out, const struct ubench_result *r, int print_headers);

/*
 * netperf's request/response table (its receive buffers are the server's),
 * then TPS=<transactions> RTT_P50_US= RTT_P99_US= TIMEOUTS=, the round trips
 * being those of the slowest flow. At the server, which sees requests only,
 * transactions are the requests that arrived.
 */
void report_text_rr(FILE *out, const struct ubench_result *r, int print_headers);

#endif
