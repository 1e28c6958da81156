// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages with the counts of a run, packed and parsed. */
#include "protocol.h"

#include "protocol_json.h"

static json_t *pack_sent(const struct protocol_end *end, unsigned int i)
{
	const struct result_sent *s = &end->sent[i];

	return json_pack("{s:f, s:o, s:o, s:o, s:o}", "seconds", s->seconds,
			 "bytes", protocol_integer(s->bytes),
			 "packets", protocol_integer(s->packets),
			 "send_errors", protocol_integer(s->send_errors),
			 "warmup_bytes", protocol_integer(end->warmup_bytes[i]));
}

json_t *protocol_end_pack(const struct protocol_end *end)
{
	json_t *flows = json_array();
	unsigned int i;

	for (i = 0; i < end->flows; i++)
		json_array_append_new(flows, pack_sent(end, i));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "type", "end", "flows", flows,
			 "queue_drops", protocol_integer(end->drops.queue),
			 "transmit_ring_drops", protocol_integer(end->drops.transmit_ring),
			 "refused", protocol_integer(end->refused),
			 "send_socket_bytes", protocol_integer(end->send_socket_bytes));
}

int protocol_end_parse(const json_t *msg, struct protocol_end *end)
{
	const json_t *flows;
	unsigned int i;

	memset(end, 0, sizeof(*end));
	flows = protocol_is(msg, "end") ? protocol_flows(msg, "flows", &end->flows) : NULL;
	if (!flows)
		return -EPROTO;
	end->drops.queue = protocol_counter(msg, "queue_drops");
	end->drops.transmit_ring = protocol_counter(msg, "transmit_ring_drops");
	end->refused = protocol_counter(msg, "refused");
	end->send_socket_bytes = protocol_counter(msg, "send_socket_bytes");
	for (i = 0; i < end->flows; i++) {
		const json_t *o = json_array_get(flows, i);
		double seconds = channel_real(o, "seconds", 0);

		end->sent[i] = (struct result_sent){
			.seconds = seconds > 0 ? seconds : 0,
			.bytes = protocol_counter(o, "bytes"),
			.packets = protocol_counter(o, "packets"),
			.send_errors = protocol_counter(o, "send_errors"),
		};
		end->warmup_bytes[i] = protocol_counter(o, "warmup_bytes");
	}
	return 0;
}

json_t *protocol_progress_pack(const struct protocol_progress *progress)
{
	return json_pack("{s:s, s:o, s:o}", "type", "progress",
			 "packets", protocol_integer(progress->packets),
			 "socket_drops", protocol_integer(progress->socket_drops));
}

int protocol_progress_parse(const json_t *msg, struct protocol_progress *progress)
{
	*progress = (struct protocol_progress){
		.packets = protocol_counter(msg, "packets"),
		.socket_drops = protocol_counter(msg, "socket_drops"),
	};
	return protocol_is(msg, "progress") ? 0 : -EPROTO;
}

static json_t *pack_delay(const struct result_delay *d)
{
	if (!d->is_known)
		return json_null();
	return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o}", "is_same_clock", (int)d->is_same_clock,
			 "count", protocol_integer(d->count), "p50_ns", protocol_integer(d->p50_ns),
			 "p90_ns", protocol_integer(d->p90_ns),
			 "p99_ns", protocol_integer(d->p99_ns),
			 "max_ns", protocol_integer(d->max_ns));
}

static struct result_delay parse_delay(const json_t *o)
{
	return (struct result_delay){
		.is_known = json_is_object(o),
		.is_same_clock = json_is_true(json_object_get(o, "is_same_clock")),
		.count = protocol_counter(o, "count"),
		.p50_ns = protocol_counter(o, "p50_ns"),
		.p90_ns = protocol_counter(o, "p90_ns"),
		.p99_ns = protocol_counter(o, "p99_ns"),
		.max_ns = protocol_counter(o, "max_ns"),
	};
}

static json_t *pack_counts(const struct receiver_counts *c)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}",
			 "packets", protocol_integer(c->packets),
			 "bytes", protocol_integer(c->bytes),
			 "duplicates", protocol_integer(c->duplicates),
			 "out_of_order", protocol_integer(c->out_of_order),
			 "foreign", protocol_integer(c->foreign),
			 "socket_drops", protocol_integer(c->socket_drops),
			 "span_ns", (json_int_t)c->span_ns, "jitter_ns", (json_int_t)c->jitter_ns,
			 "delay", pack_delay(&c->delay));
}

static struct receiver_counts parse_counts(const json_t *o)
{
	return (struct receiver_counts){
		.packets = protocol_counter(o, "packets"),
		.bytes = protocol_counter(o, "bytes"),
		.duplicates = protocol_counter(o, "duplicates"),
		.out_of_order = protocol_counter(o, "out_of_order"),
		.foreign = protocol_counter(o, "foreign"),
		.socket_drops = protocol_counter(o, "socket_drops"),
		.span_ns = channel_int(o, "span_ns", 0, INT64_MAX, 0),
		.jitter_ns = channel_int(o, "jitter_ns", 0, INT64_MAX, -1),
		.delay = parse_delay(json_object_get(o, "delay")),
	};
}

json_t *protocol_result_pack(const struct protocol_result *result)
{
	json_t *flows = json_array();
	unsigned int i;

	for (i = 0; i < result->flows; i++)
		json_array_append_new(flows, pack_counts(&result->counts[i]));
	return json_pack("{s:s, s:o, s:o, s:f, s:f, s:o, s:o, s:o}", "type", "result", "flows", flows,
			 "cpu_known", json_boolean(result->cpu.is_known),
			 "cpu_busy_s", result->cpu.busy_s, "cpu_all_s", result->cpu.all_s,
			 "receive_ring_drops", protocol_integer(result->drops.receive_ring),
			 "checksum_drops", protocol_integer(result->drops.checksum),
			 "reverse", result->reverse.flows ? protocol_end_pack(&result->reverse) :
							    json_null());
}

int protocol_result_parse(const json_t *msg, struct protocol_result *result)
{
	const json_t *flows, *reverse = json_object_get(msg, "reverse");
	unsigned int i;

	memset(result, 0, sizeof(*result));
	flows = protocol_is(msg, "result") ? protocol_flows(msg, "flows", &result->flows) : NULL;
	if (!flows)
		return -EPROTO;
	result->cpu.is_known = json_is_true(json_object_get(msg, "cpu_known"));
	result->cpu.busy_s = channel_real(msg, "cpu_busy_s", 0);
	result->cpu.all_s = channel_real(msg, "cpu_all_s", 0);
	result->drops.receive_ring = protocol_counter(msg, "receive_ring_drops");
	result->drops.checksum = protocol_counter(msg, "checksum_drops");
	for (i = 0; i < result->flows; i++)
		result->counts[i] = parse_counts(json_array_get(flows, i));
	return json_is_object(reverse) ? protocol_end_parse(reverse, &result->reverse) : 0;
}
