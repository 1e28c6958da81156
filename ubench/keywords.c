// SPDX-License-Identifier: GPL-2.0-or-later
/* -k: netperf's output for programs, KEY=VALUE lines, as its -k and the interim results that go with it. */
#include "keywords.h"

#include <inttypes.h>
#include <string.h>

#include "result.h"

#define BIT_UNITS "10^6bits/s"
#define TRANSACTION_UNITS "Trans/s"

void keywords_interim(FILE *out, unsigned int n, const struct result_interval *row,
		      bool has_transactions)
{
	fprintf(out, "NETPERF_INTERIM_RESULT[%u]=%.2f\n", n,
		has_transactions ? result_rate(row->packets, row->seconds) :
				   8e-6 * result_rate(row->bytes, row->seconds));
	fprintf(out, "NETPERF_UNITS[%u]=%s\n", n, has_transactions ? TRANSACTION_UNITS : BIT_UNITS);
	fprintf(out, "NETPERF_INTERVAL[%u]=%.3f\n", n, row->seconds);
	fprintf(out, "NETPERF_ENDING[%u]=%.3f\n", n, row->ending_epoch_s);
}

static bool is_wanted(const char *list, const char *key)
{
	const size_t len = strlen(key);
	const char *p;

	for (p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (!strncmp(p, key, len) && (!p[len] || p[len] == ','))
			return true;
	return false;
}

static void word(FILE *out, const char *list, const char *key, const char *value)
{
	if (is_wanted(list, key))
		fprintf(out, "%s=%s\n", key, value);
}

static void whole(FILE *out, const char *list, const char *key, uint64_t value)
{
	if (is_wanted(list, key))
		fprintf(out, "%s=%" PRIu64 "\n", key, value);
}

static void fraction(FILE *out, const char *list, const char *key, double value)
{
	if (is_wanted(list, key))
		fprintf(out, "%s=%.2f\n", key, value);
}

/* What netperf calls throughput: what arrived, where that is known. */
static double throughput(const struct ubench_result *r, bool has_transactions)
{
	if (has_transactions)
		return result_rate(result_transactions(r), r->sent.seconds);
	return 8e-6 * (r->received.is_known ? result_rate(r->received.bytes, r->received.seconds) :
					      result_rate(r->sent.bytes, r->sent.seconds));
}

void keywords_end(FILE *out, const struct ubench_result *r, const char *list,
		  bool has_transactions)
{
	fraction(out, list, "THROUGHPUT", throughput(r, has_transactions));
	word(out, list, "THROUGHPUT_UNITS", has_transactions ? TRANSACTION_UNITS : BIT_UNITS);
	fraction(out, list, "ELAPSED_TIME", r->sent.seconds);
	word(out, list, "PROTOCOL", strncmp(r->test, "TCP", 3) ? "UDP" : "TCP");
	word(out, list, "DIRECTION", has_transactions ? "Send|Recv" : "Send");
	whole(out, list, "LOCAL_SEND_SIZE", r->message_bytes);
	whole(out, list, "LOCAL_BYTES_SENT", r->sent.bytes);
	if (r->received.is_known)
		whole(out, list, "REMOTE_BYTES_RECVD", r->received.bytes);
	/* ubench leaves the type of service as it is. */
	word(out, list, "LOCAL_SOCKET_TOS", "0x00");
	word(out, list, "REMOTE_SOCKET_TOS", "0x00");
}
