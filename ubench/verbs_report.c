// SPDX-License-Identifier: GPL-2.0-or-later
/* A VERBS_UD run in figures: the account of its packets, its JSON object, its table. */
#include "verbs_report.h"

#include <inttypes.h>
#include <math.h>

#include <jansson.h>

#include "account.h"
#include "drops.h"
#include "result.h"
#include "verbs_async.h"
#include "verbs_link.h"
#include "verbs_options.h"
#include "verbs_protocol.h"
#include "verbs_sender.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t lost_packets(const struct verbs_outcome *o)
{
	uint64_t lost = 0;
	uint32_t i;

	for (i = 0; i < o->flows; i++)
		lost += o->received[i].lost_packets;
	return lost;
}

unsigned int verbs_report_worst(const struct verbs_outcome *outcomes, unsigned int n)
{
	unsigned int i, worst = 0;

	for (i = 1; i < n; i++)
		if (lost_packets(&outcomes[i]) > lost_packets(&outcomes[worst]))
			worst = i;
	return worst;
}

void verbs_report_account(struct ubench_result *r, const struct verbs_outcome *outcome)
{
	uint64_t lost;
	size_t i;

	for (i = 0; outcome && i < r->n_streams && i < outcome->flows; i++) {
		struct result_stream *s = &r->streams[i];

		s->received = outcome->received[i];
		s->received.seconds = fmax(s->sent.seconds, s->received.seconds);
		/* The peer's word is checked: the account must add up. */
		s->received.packets = min_u64(s->received.packets, s->sent.packets);
		s->received.lost_packets = s->sent.packets - s->received.packets;
	}
	account_sum(r, 0, &(struct drops){ 0 }, 0);
	if (!outcome)
		return;
	r->received.foreign += outcome->foreign;
	lost = r->received.lost_packets;
	r->loss.wrong_qkey = min_u64(outcome->drops.wrong_qkey, lost);
	lost -= r->loss.wrong_qkey;
	r->loss.receive_queue = min_u64(outcome->drops.no_receive_wr, lost);
	r->loss.unknown = lost - r->loss.receive_queue;
}

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static const char *way_name(enum verbs_way way)
{
	return way == VERBS_BY_CM ? "rdma_cm" : way == VERBS_BY_DEVICE ? "device" : "multicast";
}

static json_t *knobs(const struct verbs_options *opt, const struct verbs_link *link)
{
	const struct verbs_endpoint *ep = &link->ep;
	bool has_wr_api = ep->n_qps && ep->qps[0].ex;

	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:i, s:i, s:s, s:i}",
			 "signal_rate", (int)opt->signal_rate, "post_list", (int)opt->post_list,
			 "send_depth", (int)opt->send_depth, "recv_depth", (int)opt->recv_depth,
			 "queue_pairs", (int)opt->qps, "inline_bytes", (int)opt->inline_bytes,
			 "inline_bytes_granted", (int)ep->inline_bytes,
			 "completions_by", opt->uses_events ? "events" : "polling",
			 "post_api", has_wr_api ? "ibv_wr" : "ibv_post_send",
			 "moderation_count", opt->moderation_count,
			 "moderation_usecs", opt->moderation_usecs, "way", way_name(link->way),
			 "numa_node", ep->numa_node);
}

json_t *verbs_report_sender(const struct verbs_options *opt, const struct verbs_link *link,
			    const struct verbs_sender *sender, const struct verbs_async *async)
{
	uint64_t requests = 0, signaled = 0, posts = 0;
	uint32_t i;

	for (i = 0; i < link->ep.n_qps; i++) {
		requests += sender->flows[i].plan.posted;
		signaled += sender->flows[i].signaled;
		posts += sender->flows[i].posts;
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:[]}",
			 "knobs", knobs(opt, link), "work_requests", integer(requests),
			 "signaled", integer(signaled),
			 "completions", integer(sender->completions),
			 "completion_events", integer(link->ep.events),
			 "post_calls", integer(posts),
			 "device", verbs_device_describe(&link->dev),
			 "async_events", verbs_async_names(async), "receivers");
}

json_t *verbs_report_receiver(const char *host, const struct verbs_outcome *o)
{
	uint64_t packets = 0, duplicates = 0, late = 0;
	uint32_t i;

	for (i = 0; i < o->flows; i++) {
		packets += o->received[i].packets;
		duplicates += o->received[i].duplicates;
		late += o->received[i].out_of_order;
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:O?}",
			 "host", host, "packets", integer(packets),
			 "lost_packets", integer(lost_packets(o)),
			 "duplicates", integer(duplicates), "out_of_order", integer(late),
			 "foreign", integer(o->foreign), "completions", integer(o->completions),
			 "completion_events", integer(o->events),
			 "device_no_receive_wr", integer(o->drops.no_receive_wr),
			 "device_wrong_qkey", integer(o->drops.wrong_qkey),
			 "device_no_receive_wr_source", o->drops.source, "device", o->device);
}

static double mbit_s(uint64_t bytes, double seconds)
{
	return 8e-6 * result_rate(bytes, seconds);
}

static long long knob(const struct ubench_result *r, const char *name)
{
	return json_integer_value(json_object_get(json_object_get(r->verbs, "knobs"), name));
}

static void headers(FILE *out, const struct ubench_result *r)
{
	const json_t *device = json_object_get(r->verbs, "device");

	fprintf(out, VERBS_TEST_NAME " TEST from %s (%s port %lld, %s) to %s\n", r->host,
		json_string_value(json_object_get(device, "device")),
		(long long)json_integer_value(json_object_get(device, "port")),
		json_string_value(json_object_get(device, "link_layer")), r->peer);
	fputs("Signal  Post   QPs  Message  Elapsed      Messages                Completions\n"
	      "rate    list        Size     Time         Okay Errors  Throughput   per packet\n"
	      "                    bytes    secs            #      #  10^6bits/sec\n\n", out);
}

static void receivers(FILE *out, const struct ubench_result *r)
{
	json_t *list = json_object_get(r->verbs, "receivers"), *one;
	size_t i;

	if (json_array_size(list) < 2)
		return;
	json_array_foreach(list, i, one)
		fprintf(out, "RECEIVER=%s PACKETS=%lld LOST=%lld\n",
			json_string_value(json_object_get(one, "host")),
			(long long)json_integer_value(json_object_get(one, "packets")),
			(long long)json_integer_value(json_object_get(one, "lost_packets")));
}

void verbs_report_text(FILE *out, const struct ubench_result *r, int print_headers)
{
	const struct result_received *rx = &r->received;
	double completions = (double)json_integer_value(json_object_get(r->verbs, "completions"));

	if (print_headers)
		headers(out, r);
	fprintf(out, "%6lld %5lld %5lld  %7" PRIu64 "  %-6.2f  %11" PRIu64 " %6" PRIu64 " %13.2f %12.4f\n",
		knob(r, "signal_rate"), knob(r, "post_list"), knob(r, "queue_pairs"),
		r->message_bytes, r->sent.seconds, r->sent.packets, r->sent.send_errors,
		mbit_s(r->sent.bytes, r->sent.seconds),
		r->sent.packets ? completions / (double)r->sent.packets : 0.0);
	if (!rx->is_known) {
		fprintf(out, "\nPPS=%.0f RX_PPS=- LOSS=-\n",
			result_rate(r->sent.packets, r->sent.seconds));
		return;
	}
	fprintf(out, "                             %-6.2f  %11" PRIu64 " %20.2f\n\n", rx->seconds,
		rx->packets, mbit_s(rx->bytes, rx->seconds));
	receivers(out, r);
	fprintf(out, "PPS=%.0f RX_PPS=%.0f LOSS=%.3f\n",
		result_rate(r->sent.packets, r->sent.seconds),
		result_rate(rx->packets, rx->seconds), result_lost_percent(rx));
}
