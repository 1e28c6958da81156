// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON document of a run, read back; trusts nothing of it. */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Each get_*() notes the first member at fault and goes on with a zero. */
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
	rx->is_byte_stream = json_is_null(json_object_get(o, "packets"));
	rx->packets = get_integer(in, o, "packets", true);
	rx->lost_packets = get_integer(in, o, "lost_packets", rx->is_byte_stream);
	rx->duplicates = get_integer(in, o, "duplicates", true);
	rx->out_of_order = get_integer(in, o, "out_of_order", true);
	rx->foreign = get_integer(in, o, "foreign", rx->is_byte_stream);
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
			.has_received = json_is_integer(json_object_get(o, "received_packets")),
			.received_packets = get_optional(o, "received_packets"),
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
		r->loss.transmit_ring = get_optional(loss, "transmit_ring");
		r->loss.receive_ring = get_optional(loss, "receive_ring");
		r->loss.receive_checksum = get_optional(loss, "receive_checksum");
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
