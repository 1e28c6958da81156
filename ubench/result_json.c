// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON document of a run, written with jansson (exact 64-bit integers). */
#include "result.h"

#include <math.h>

#include <jansson.h>

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *integer_if(bool is_known, uint64_t value)
{
	return is_known ? integer(value) : json_null();
}

static json_t *rated(double seconds, uint64_t bytes, uint64_t packets)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "seconds", real_or_null(seconds),
			 "bytes", integer(bytes),
			 "packets", integer(packets),
			 "packets_per_second", real_or_null(result_rate(packets, seconds)),
			 "bits_per_second", real_or_null(8 * result_rate(bytes, seconds)));
}

static json_t *sent_to_json(const struct result_sent *s)
{
	json_t *o = rated(s->seconds, s->bytes, s->packets);

	json_object_set_new(o, "send_errors", integer(s->send_errors));
	return o;
}

static json_t *received_to_json(const struct result_received *rx)
{
	json_t *o;

	if (!rx->is_known)
		return json_null();
	o = rated(rx->seconds, rx->bytes, rx->packets);
	if (rx->is_byte_stream) {
		json_object_set_new(o, "packets", json_null());
		json_object_set_new(o, "packets_per_second", json_null());
	}
	json_object_set_new(o, "lost_packets", integer_if(!rx->is_byte_stream, rx->lost_packets));
	json_object_set_new(o, "lost_percent",
			    real_or_null(rx->is_byte_stream ? NAN : result_lost_percent(rx)));
	json_object_set_new(o, "duplicates", integer_if(rx->is_sequenced, rx->duplicates));
	json_object_set_new(o, "out_of_order", integer_if(rx->is_sequenced, rx->out_of_order));
	json_object_set_new(o, "foreign", integer_if(!rx->is_byte_stream, rx->foreign));
	json_object_set_new(o, "jitter_ms",
			    rx->is_sequenced ? real_or_null(rx->jitter_ms) : json_null());
	return o;
}

json_t *result_interval_to_json(const struct result_interval *iv)
{
	json_t *o = rated(iv->seconds, iv->bytes, iv->packets);

	json_object_set_new(o, "send_errors", integer(iv->send_errors));
	json_object_set_new(o, "received_packets",
			    integer_if(iv->has_received, iv->received_packets));
	json_object_set_new(o, "start_seconds", real_or_null(iv->start_seconds));
	json_object_set_new(o, "ending_epoch_s", real_or_null(iv->ending_epoch_s));
	return o;
}

static json_t *gaps_to_json(const struct result_gaps *g)
{
	if (!g->is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "count", integer(g->count),
			 "p50_ns", integer(g->p50_ns),
			 "p90_ns", integer(g->p90_ns), "p99_ns", integer(g->p99_ns),
			 "max_ns", integer(g->max_ns));
}

static json_t *delay_to_json(const struct result_delay *d)
{
	if (!d->is_known)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}",
			 "clock", d->is_same_clock ? "same" : "relative", "count", integer(d->count),
			 "p50_ns", integer(d->p50_ns), "p90_ns", integer(d->p90_ns),
			 "p99_ns", integer(d->p99_ns), "max_ns", integer(d->max_ns));
}

static json_t *zerocopy_to_json(const struct result_zerocopy *z)
{
	if (!z->is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "sends", integer(z->sends),
			 "notified", integer(z->notified), "copied", integer(z->copied));
}

static json_t *stream_to_json(const struct result_stream *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "flow_id", integer(s->flow_id),
			 "sent", sent_to_json(&s->sent),
			 "received", received_to_json(&s->received),
			 "gaps", gaps_to_json(&s->gaps),
			 "round_trips", gaps_to_json(&s->round_trips),
			 "delay", delay_to_json(&s->delay),
			 "zerocopy", zerocopy_to_json(&s->zerocopy));
}

static json_t *cpu_to_json(const struct result_cpu *cpu, uint64_t packets)
{
	if (!cpu->is_known)
		return json_null();
	return json_pack("{s:o, s:o}", "utilization_percent",
			 real_or_null(result_cpu_percent(cpu)),
			 "us_per_packet", real_or_null(result_us_per_packet(cpu, packets)));
}

static json_t *confidence_to_json(const struct result_confidence *c)
{
	if (!c->iterations)
		return json_null();
	return json_pack("{s:i, s:f, s:f, s:b, s:o, s:o}", "iterations", (int)c->iterations,
			 "level_percent", c->level_percent, "width_percent", c->width_percent,
			 "is_reached", (int)c->is_reached,
			 "sent_width_percent", real_or_null(c->sent_width_percent),
			 "received_width_percent", real_or_null(c->received_width_percent));
}

json_t *result_start_to_json(const struct ubench_result *r)
{
	json_t *argv = json_array();
	size_t i;

	for (i = 0; i < r->n_command_line; i++)
		json_array_append_new(argv, json_string(r->command_line[i]));
	return json_pack("{s:s, s:o, s:s, s:s, s:s, s:O}", "test", r->test,
			 "command_line", argv, "utc", r->utc, "host", r->host, "peer", r->peer,
			 "environment", r->environment ? r->environment : json_null());
}

static json_t *loss_to_json(const struct result_received *rx, const struct result_loss *loss)
{
	if (!rx->is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "sender_queue", integer(loss->sender_queue),
			 "transmit_ring", integer(loss->transmit_ring),
			 "receive_ring", integer(loss->receive_ring),
			 "receive_checksum", integer(loss->receive_checksum),
			 "receive_socket", integer(loss->receive_socket),
			 "receive_queue", integer(loss->receive_queue),
			 "wrong_qkey", integer(loss->wrong_qkey),
			 "unknown", integer(loss->unknown));
}

/* The figures of one direction. */
static json_t *direction_to_json(const struct ubench_result *r)
{
	json_t *streams = json_array();
	size_t i;

	for (i = 0; i < r->n_streams; i++)
		json_array_append_new(streams, stream_to_json(&r->streams[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "streams", streams,
			 "fairness", real_or_null(r->fairness),
			 "sum_sent", sent_to_json(&r->sent),
			 "sum_received", received_to_json(&r->received),
			 "loss", loss_to_json(&r->received, &r->loss));
}

static json_t *receivers_to_json(const struct ubench_result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->n_receivers; i++) {
		const struct result_receiver *one = &r->receivers[i];

		json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "host", one->host,
						      "received", received_to_json(&one->received),
						      "loss", loss_to_json(&one->received,
									   &one->loss)));
	}
	return list;
}

json_t *result_end_to_json(const struct ubench_result *r)
{
	json_t *end = direction_to_json(r);
	json_t *rest = json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}",
				 "reverse", r->reverse ? direction_to_json(r->reverse) : json_null(),
				 "receivers", receivers_to_json(r),
				 "local_cpu", cpu_to_json(&r->local_cpu, r->sent.packets),
				 "remote_cpu", cpu_to_json(&r->remote_cpu, r->received.packets),
				 "confidence", confidence_to_json(&r->confidence),
				 "gro", (int)r->has_gro,
				 "message_bytes", integer(r->message_bytes),
				 "fragments_per_message",
				 integer_if(r->fragments_per_message, r->fragments_per_message),
				 "send_socket_bytes", integer(r->send_socket_bytes),
				 "recv_socket_bytes",
				 integer_if(r->recv_socket_bytes, r->recv_socket_bytes));

	json_object_update(end, rest);
	json_decref(rest);
	if (r->verbs)
		json_object_set(end, "verbs", r->verbs);
	return end;
}

json_t *result_error_to_json(const struct result_error *error)
{
	return json_pack("{s:i, s:s, s:s}", "code", error->code, "where", error->where, "message",
			 error->message);
}

json_t *result_to_json(const struct ubench_result *r)
{
	json_t *intervals = json_array(), *doc;
	size_t i;

	for (i = 0; i < r->n_intervals; i++)
		json_array_append_new(intervals, result_interval_to_json(&r->intervals[i]));
	doc = json_pack("{s:i, s:o, s:o, s:o}", "schema_version", RESULT_SCHEMA_VERSION,
			"start", result_start_to_json(r), "intervals", intervals, "end", result_end_to_json(r));
	if (r->error.code)
		json_object_set_new(doc, "error", result_error_to_json(&r->error));
	return doc;
}
