// SPDX-License-Identifier: GPL-2.0-or-later
/* The two ends of a test command: a result begun with its circumstances, and reported. */
#include "finish.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "cmd.h"
#include "event_stream.h"
#include "keywords.h"
#include "options.h"
#include "result.h"
#include "result_csv.h"
#include "wire.h"

void finish_start(struct ubench_result *r, const struct options *opt, const char *test, int argc,
		  char **argv)
{
	time_t now = time(NULL);
	struct tm tm;

	result_init(r, test);
	gmtime_r(&now, &tm);
	strftime(r->utc, sizeof(r->utc), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (gethostname(r->host, sizeof(r->host) - 1))
		snprintf(r->host, sizeof(r->host), "unknown");
	snprintf(r->peer, sizeof(r->peer), "%.127s", opt->host);
	r->message_bytes = opt->message_bytes;
	if (result_set_command_line(r, argc, argv))
		result_set_error(r, UBENCH_EXIT_FAILED, "client", "out of memory");
}

static int report_json(const struct ubench_result *r)
{
	json_t *doc = result_to_json(r);
	int ret = doc ? json_dumpf(doc, stdout, JSON_INDENT(2)) : -1;

	json_decref(doc);
	putchar('\n');
	return ret;
}

/* What a reader of the bare figures could take wrongly. */
static void remarks(const struct ubench_result *r, const struct options *opt)
{
	if (!r->received.is_byte_stream && r->message_bytes < WIRE_HEADER_BYTES)
		fprintf(stderr,
			"ubench: messages below %zu bytes carry no sequence number: duplicates "
			"and reordering are not seen\n", WIRE_HEADER_BYTES);
	if (r->fragments_per_message > 1 && opt->gso == 1 && !opt->has_df)
		fprintf(stderr, "ubench: each message goes out as %" PRIu64
			" fragments; one lost loses the message\n", r->fragments_per_message);
	if (opt->has_gro && !r->has_gro && r->received.is_known)
		fputs("ubench: the receiver's kernel has no UDP_GRO: packets came one by one\n", stderr);
	if (opt->local_socket_bytes && r->send_socket_bytes < opt->local_socket_bytes)
		fprintf(stderr, "ubench: local socket buffer: %" PRIu64 " bytes granted of %" PRIu64
			" asked for\n", r->send_socket_bytes, opt->local_socket_bytes);
	if (opt->remote_socket_bytes && r->recv_socket_bytes &&
	    r->recv_socket_bytes < opt->remote_socket_bytes)
		fprintf(stderr, "ubench: remote socket buffer: %" PRIu64 " bytes granted of %"
			PRIu64 " asked for\n", r->recv_socket_bytes, opt->remote_socket_bytes);
}

/* Percentiles of each flow's times, where they are known. */
static void stream_lines(const struct ubench_result *r, const struct options *opt)
{
	size_t i;

	for (i = 0; i < r->n_streams; i++) {
		const struct result_stream *s = &r->streams[i];

		if (s->gaps.is_known)
			printf("GAPS_US flow=%u p50=%.1f p90=%.1f p99=%.1f max=%.1f\n", s->flow_id,
			       1e-3 * (double)s->gaps.p50_ns, 1e-3 * (double)s->gaps.p90_ns,
			       1e-3 * (double)s->gaps.p99_ns, 1e-3 * (double)s->gaps.max_ns);
		if (opt->has_delay && s->delay.is_known)
			printf("DELAY_US flow=%u clock=%s p50=%.1f p90=%.1f p99=%.1f max=%.1f\n",
			       s->flow_id, s->delay.is_same_clock ? "same" : "relative",
			       1e-3 * (double)s->delay.p50_ns, 1e-3 * (double)s->delay.p90_ns,
			       1e-3 * (double)s->delay.p99_ns, 1e-3 * (double)s->delay.max_ns);
		if (s->zerocopy.is_known)
			printf("ZEROCOPY flow=%u sends=%" PRIu64 " notified=%" PRIu64 " copied=%" PRIu64
			       "\n", s->flow_id, s->zerocopy.sends, s->zerocopy.notified,
			       s->zerocopy.copied);
	}
}

/* Lines that an option, several flows or several receivers add below the table. */
static void extras(const struct ubench_result *r, const struct options *opt)
{
	const struct result_confidence *c = &r->confidence;
	size_t i;

	if (!isnan(r->fairness))
		printf("FAIRNESS=%.4f\n", r->fairness);
	if (opt->has_cpu)
		printf("CPU=%.2f%% RX_CPU=%.2f%% US_PER_PACKET=%.3f RX_US_PER_PACKET=%.3f\n",
		       result_cpu_percent(&r->local_cpu), result_cpu_percent(&r->remote_cpu),
		       result_us_per_packet(&r->local_cpu, r->sent.packets),
		       result_us_per_packet(&r->remote_cpu, r->received.packets));
	stream_lines(r, opt);
	for (i = 0; i < r->n_receivers; i++)
		printf("RECEIVER host=%s RX_PPS=%.0f LOSS=%.3f\n", r->receivers[i].host,
		       result_rate(r->receivers[i].received.packets, r->receivers[i].received.seconds),
		       result_lost_percent(&r->receivers[i].received));
	if (c->iterations)
		printf("CONFIDENCE=%.0f%% ITERATIONS=%u SEND_WIDTH=%.2f%% RECV_WIDTH=%.2f%%\n",
		       c->level_percent, c->iterations, c->sent_width_percent,
		       c->received_width_percent);
}

static int check_conditions(const struct ubench_result *r, const struct options *opt)
{
	int ret = UBENCH_EXIT_OK;
	unsigned int i;

	for (i = 0; i < opt->n_fail_if; i++)
		if (fail_if_holds(&opt->fail_if[i], r)) {
			fprintf(stderr, "ubench: --fail-if %s holds\n", opt->fail_if[i].text);
			ret = UBENCH_EXIT_FAIL_IF;
		}
	return ret;
}

static void report_tables(const struct ubench_result *r, const struct options *opt,
			  void (*text)(FILE *out, const struct ubench_result *r, int print_headers))
{
	text(stdout, r, opt->has_headers);
	extras(r, opt);
	if (!r->reverse)
		return;
	putchar('\n');
	text(stdout, r->reverse, opt->has_headers);
	if (!isnan(r->reverse->fairness))
		printf("FAIRNESS=%.4f\n", r->reverse->fairness);
	stream_lines(r->reverse, opt);
}

int finish_report(const struct ubench_result *r, const struct options *opt,
		  void (*text)(FILE *out, const struct ubench_result *r, int print_headers))
{
	int ret = 0;

	switch (opt->form) {
	case OPTIONS_JSON:
		ret = report_json(r);
		break;
	case OPTIONS_JSON_STREAM:
		ret = event_stream_end(r);
		break;
	case OPTIONS_CSV:
		if (opt->has_headers)
			result_csv_header(stdout);
		result_csv_row(stdout, r);
		break;
	case OPTIONS_KEYWORDS:
		keywords_end(stdout, r, opt->keywords, !strcmp(r->test, "UDP_RR"));
		break;
	case OPTIONS_TEXT:
		if (r->n_streams)
			report_tables(r, opt, text);
	}
	if (r->n_streams)
		remarks(r, opt);
	if (opt->output && result_write(r, opt->output)) {
		fprintf(stderr, "ubench: cannot write %s: %s\n", opt->output, strerror(errno));
		return UBENCH_EXIT_FAILED;
	}
	if (fflush(stdout) || ret) {
		fputs("ubench: cannot write the result to stdout\n", stderr);
		return UBENCH_EXIT_FAILED;
	}
	if (r->error.code) {
		fprintf(stderr, "ubench: %s\n", r->error.message);
		return r->error.code;
	}
	return check_conditions(r, opt);
}
