// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON document of a run, written and read with jansson (exact 64-bit integers). */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	json_object_set_new(o, "lost_packets", integer(rx->lost_packets));
	json_object_set_new(o, "lost_percent", real_or_null(result_lost_percent(rx)));
	json_object_set_new(o, "duplicates", integer_if(rx->is_sequenced, rx->duplicates));
	json_object_set_new(o, "out_of_order", integer_if(rx->is_sequenced, rx->out_of_order));
	json_object_set_new(o, "foreign", integer(rx->foreign));
	json_object_set_new(o, "jitter_ms",
			    rx->is_sequenced ? real_or_null(rx->jitter_ms) : json_null());
	return o;
}

static json_t *interval_to_json(const struct result_interval *iv)
{
	json_t *o = rated(iv->seconds, iv->bytes, iv->packets);

	json_object_set_new(o, "send_errors", integer(iv->send_errors));
	json_object_set_new(o, "start_seconds", real_or_null(iv->start_seconds));
	json_object_set_new(o, "ending_epoch_s", real_or_null(iv->ending_epoch_s));
	return o;
}

static json_t *stream_to_json(const struct result_stream *s)
{
	return json_pack("{s:o, s:o, s:o}", "flow_id", integer(s->flow_id),
			 "sent", sent_to_json(&s->sent),
			 "received", received_to_json(&s->received));
}

static json_t *start_to_json(const struct ubench_result *r)
{
	json_t *argv = json_array();
	size_t i;

	for (i = 0; i < r->n_command_line; i++)
		json_array_append_new(argv, json_string(r->command_line[i]));
	return json_pack("{s:s, s:o, s:s, s:s, s:s, s:O}", "test", r->test,
			 "command_line", argv, "utc", r->utc, "host", r->host, "peer", r->peer,
			 "environment", r->environment ? r->environment : json_null());
}

static json_t *loss_to_json(const struct ubench_result *r)
{
	if (!r->received.is_known)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "sender_queue", integer(r->loss.sender_queue),
			 "receive_socket", integer(r->loss.receive_socket),
			 "receive_queue", integer(r->loss.receive_queue),
			 "wrong_qkey", integer(r->loss.wrong_qkey),
			 "unknown", integer(r->loss.unknown));
}

static json_t *end_to_json(const struct ubench_result *r)
{
	json_t *streams = json_array(), *end;
	size_t i;

	for (i = 0; i < r->n_streams; i++)
		json_array_append_new(streams, stream_to_json(&r->streams[i]));
	end = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "streams", streams,
			 "sum_sent", sent_to_json(&r->sent),
			 "sum_received", received_to_json(&r->received),
			 "loss", loss_to_json(r),
			 "message_bytes", integer(r->message_bytes),
			 "send_socket_bytes", integer(r->send_socket_bytes),
			 "recv_socket_bytes", integer_if(r->recv_socket_bytes, r->recv_socket_bytes));
	if (r->verbs)
		json_object_set(end, "verbs", r->verbs);
	return end;
}

json_t *result_to_json(const struct ubench_result *r)
{
	json_t *intervals = json_array(), *doc;
	size_t i;

	for (i = 0; i < r->n_intervals; i++)
		json_array_append_new(intervals, interval_to_json(&r->intervals[i]));
	doc = json_pack("{s:i, s:o, s:o, s:o}", "schema_version", RESULT_SCHEMA_VERSION,
			"start", start_to_json(r), "intervals", intervals, "end", end_to_json(r));
	if (r->error.code)
		json_object_set_new(doc, "error",
				    json_pack("{s:i, s:s, s:s}", "code", r->error.code,
					      "where", r->error.where,
					      "message", r->error.message));
	return doc;
}

/* Reading. Each get_*() notes the first member at fault and goes on with a zero. */
struct reader {
	const char *fault;
};

static uint64_t get_integer(struct reader *in, json_t *o, const char *key, bool may_be_null)
{
	json_t *v = json_object_get(o, key);

	if (json_is_integer(v) && json_integer_value(v) >= 0)
		return (uint64_t)json_integer_value(v);
	if (!(may_be_null && json_is_null(v)) && !in->fault)
		in->fault = key;
	return 0;
}

/* A count that documents without verbs lack. */
static uint64_t get_optional(json_t *o, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(o, key));

	return value > 0 ? (uint64_t)value : 0;
}

static double get_real(struct reader *in, json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	if (json_is_number(v))
		return json_number_value(v);
	if (!json_is_null(v) && !in->fault)
		in->fault = key;
	return NAN;
}

static void get_string(struct reader *in, json_t *o, const char *key, char *buf, size_t size)
{
	const char *s = json_string_value(json_object_get(o, key));

	if (!s && !in->fault)
		in->fault = key;
	snprintf(buf, size, "%s", s ? s : "");
}

static void get_sent(struct reader *in, json_t *o, struct result_sent *s)
{
	s->seconds = get_real(in, o, "seconds");
	s->bytes = get_integer(in, o, "bytes", false);
	s->packets = get_integer(in, o, "packets", false);
	s->send_errors = get_integer(in, o, "send_errors", false);
}

static void get_received(struct reader *in, json_t *o, struct result_received *rx)
{
	memset(rx, 0, sizeof(*rx));
	rx->jitter_ms = NAN;
	if (json_is_null(o))
		return;
	rx->is_known = true;
	rx->is_sequenced = json_is_integer(json_object_get(o, "duplicates"));
	rx->seconds = get_real(in, o, "seconds");
	rx->bytes = get_integer(in, o, "bytes", false);
	rx->packets = get_integer(in, o, "packets", false);
	rx->lost_packets = get_integer(in, o, "lost_packets", false);
	rx->duplicates = get_integer(in, o, "duplicates", true);
	rx->out_of_order = get_integer(in, o, "out_of_order", true);
	rx->foreign = get_integer(in, o, "foreign", false);
	rx->jitter_ms = get_real(in, o, "jitter_ms");
}

static int get_intervals(struct reader *in, json_t *array, struct ubench_result *r)
{
	json_t *o;
	size_t i;
	int ret;

	json_array_foreach(array, i, o) {
		struct result_interval iv = {
			.start_seconds = get_real(in, o, "start_seconds"),
			.seconds = get_real(in, o, "seconds"),
			.ending_epoch_s = get_real(in, o, "ending_epoch_s"),
			.bytes = get_integer(in, o, "bytes", false),
			.packets = get_integer(in, o, "packets", false),
			.send_errors = get_integer(in, o, "send_errors", false),
		};

		ret = result_add_interval(r, &iv);
		if (ret)
			return ret;
	}
	return 0;
}

static int get_streams(struct reader *in, json_t *array, struct ubench_result *r)
{
	json_t *o;
	size_t i;
	int ret;

	json_array_foreach(array, i, o) {
		struct result_stream s = {
			.flow_id = (unsigned int)get_integer(in, o, "flow_id", false),
		};

		get_sent(in, json_object_get(o, "sent"), &s.sent);
		get_received(in, json_object_get(o, "received"), &s.received);
		ret = result_add_stream(r, &s);
		if (ret)
			return ret;
	}
	return 0;
}

static int get_start(struct reader *in, json_t *start, struct ubench_result *r)
{
	json_t *argv = json_object_get(start, "command_line"), *arg;
	size_t i;

	get_string(in, start, "test", r->test, sizeof(r->test));
	get_string(in, start, "utc", r->utc, sizeof(r->utc));
	get_string(in, start, "host", r->host, sizeof(r->host));
	get_string(in, start, "peer", r->peer, sizeof(r->peer));
	r->environment = json_incref(json_object_get(start, "environment"));
	r->command_line = calloc(json_array_size(argv) + 1, sizeof(*r->command_line));
	if (!r->command_line)
		return -ENOMEM;
	json_array_foreach(argv, i, arg) {
		r->command_line[i] = strdup(json_is_string(arg) ? json_string_value(arg) : "");
		if (!r->command_line[i])
			return -ENOMEM;
		r->n_command_line++;
	}
	return 0;
}

static int get_end(struct reader *in, json_t *end, struct ubench_result *r)
{
	json_t *loss = json_object_get(end, "loss");

	get_sent(in, json_object_get(end, "sum_sent"), &r->sent);
	get_received(in, json_object_get(end, "sum_received"), &r->received);
	if (r->received.is_known) {
		r->loss.sender_queue = get_integer(in, loss, "sender_queue", false);
		r->loss.receive_socket = get_integer(in, loss, "receive_socket", false);
		r->loss.receive_queue = get_optional(loss, "receive_queue");
		r->loss.wrong_qkey = get_optional(loss, "wrong_qkey");
		r->loss.unknown = get_integer(in, loss, "unknown", false);
	}
	r->verbs = json_incref(json_object_get(end, "verbs"));
	r->message_bytes = get_integer(in, end, "message_bytes", false);
	r->send_socket_bytes = get_integer(in, end, "send_socket_bytes", false);
	r->recv_socket_bytes = get_integer(in, end, "recv_socket_bytes", true);
	return get_streams(in, json_object_get(end, "streams"), r);
}

static void get_error(struct reader *in, json_t *o, struct result_error *e)
{
	if (!o)
		return;
	e->code = (int)get_integer(in, o, "code", false);
	get_string(in, o, "where", e->where, sizeof(e->where));
	get_string(in, o, "message", e->message, sizeof(e->message));
}

int result_from_json(struct ubench_result *r, json_t *doc, const char **what)
{
	struct reader in = { NULL };
	int ret;

	result_init(r, "");
	if (get_integer(&in, doc, "schema_version", false) != RESULT_SCHEMA_VERSION)
		in.fault = "schema_version";
	ret = get_start(&in, json_object_get(doc, "start"), r);
	if (!ret)
		ret = get_intervals(&in, json_object_get(doc, "intervals"), r);
	if (!ret)
		ret = get_end(&in, json_object_get(doc, "end"), r);
	get_error(&in, json_object_get(doc, "error"), &r->error);
	if (!ret && in.fault)
		ret = -EINVAL;
	if (what)
		*what = in.fault;
	if (ret)
		result_free(r);
	return ret;
}
