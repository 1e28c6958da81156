// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages of a run over the control connection, packed and parsed. */
#include "protocol.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <jansson.h>

#include "affinity.h"
#include "channel.h"
#include "cmd.h"

#define MAX_MESSAGE_BYTES (64 << 20)
#define MAX_UDP_BYTES 65507

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

int protocol_is(const json_t *msg, const char *type)
{
	return !strcmp(channel_str(msg, "type"), type);
}

json_t *protocol_hello(const char *challenge)
{
	return json_pack("{s:s, s:i, s:s}", "type", "hello", "protocol", CHANNEL_PROTOCOL, "nonce",
			 challenge ? challenge : "");
}

json_t *protocol_auth(const char *nonce)
{
	return json_pack("{s:s, s:s}", "type", "auth", "nonce", nonce);
}

const char *protocol_nonce(const json_t *msg)
{
	const char *nonce = channel_str(msg, "nonce");

	return secret_is_nonce(nonce) ? nonce : "";
}

int64_t protocol_hello_version(const json_t *msg)
{
	return protocol_is(msg, "hello") ? channel_int(msg, "protocol", 0, INT32_MAX, -1) : -1;
}

json_t *protocol_error(const char *message)
{
	return json_pack("{s:s, s:s}", "type", "error", "message", message);
}

json_t *protocol_error_with(const char *message, int code)
{
	return json_pack("{s:s, s:s, s:i}", "type", "error", "message", message, "code", code);
}

int protocol_error_code(const json_t *msg)
{
	return channel_int(msg, "code", 0, INT32_MAX, 0) == UBENCH_EXIT_UNSUPPORTED ?
		       UBENCH_EXIT_UNSUPPORTED : UBENCH_EXIT_FAILED;
}

const char *protocol_error_text(const json_t *msg)
{
	return protocol_is(msg, "error") ? channel_str(msg, "message") : NULL;
}

json_t *protocol_run_pack(const struct protocol_run *run)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:o, s:i, s:i, s:b, s:o, s:i}",
			 "type", "run",
			 "test", run->test, "host", run->host, "data_address", run->data_address,
			 "family", run->family == AF_INET6 ? 6 : 4, "flows", (int)run->flows,
			 "message_bytes", integer(run->message_bytes),
			 "socket_bytes", integer(run->socket_bytes),
			 "data_port", (int)run->data_port, "cpu", (int)run->cpu,
			 "has_warmup", (int)run->has_warmup,
			 "response_bytes", integer(run->response_bytes),
			 "progress_ms", (int)run->progress_ms);
}

/* A string member of at most size - 1 bytes. */
static int copy_string(const json_t *msg, const char *key, char *buf, size_t size)
{
	const char *s = channel_str(msg, key);

	if (strlen(s) >= size)
		return -EPROTO;
	strcpy(buf, s);
	return 0;
}

int protocol_run_parse(const json_t *msg, struct protocol_run *run)
{
	int64_t family = channel_int(msg, "family", 4, 6, 0);

	memset(run, 0, sizeof(*run));
	if (!protocol_is(msg, "run") || (family != 4 && family != 6))
		return -EPROTO;
	run->family = family == 6 ? AF_INET6 : AF_INET;
	run->flows = (unsigned int)channel_int(msg, "flows", 1, OPTIONS_MAX_FLOWS, 0);
	run->message_bytes = (uint64_t)channel_int(msg, "message_bytes", 1, MAX_MESSAGE_BYTES, 0);
	run->socket_bytes = (uint64_t)channel_int(msg, "socket_bytes", 0, INT32_MAX, 0);
	run->data_port = (uint16_t)channel_int(msg, "data_port", 0, UINT16_MAX, 0);
	run->cpu = (long)channel_int(msg, "cpu", 0, 1023, AFFINITY_ANY);
	run->response_bytes = (uint64_t)channel_int(msg, "response_bytes", 0, MAX_UDP_BYTES, 0);
	run->progress_ms = (unsigned int)channel_int(msg, "progress_ms", 10, 3600000, 0);
	run->has_warmup = json_is_true(json_object_get(msg, "has_warmup"));
	if (!run->flows || !run->message_bytes)
		return -EPROTO;
	if (copy_string(msg, "test", run->test, sizeof(run->test)) ||
	    copy_string(msg, "host", run->host, sizeof(run->host)) ||
	    copy_string(msg, "data_address", run->data_address, sizeof(run->data_address)))
		return -EPROTO;
	return 0;
}

json_t *protocol_ready_pack(const struct protocol_ready *ready)
{
	json_t *ports = json_array();
	unsigned int i;

	for (i = 0; i < ready->flows; i++)
		json_array_append_new(ports, json_integer(ready->ports[i]));
	return json_pack("{s:s, s:o, s:o, s:o}", "type", "ready", "nonce", integer(ready->nonce),
			 "socket_bytes", integer(ready->socket_bytes), "ports", ports);
}

/* The array msg[key], of 1 to OPTIONS_MAX_FLOWS elements, or NULL. */
static const json_t *flow_array(const json_t *msg, const char *key, unsigned int *flows)
{
	const json_t *array = json_object_get(msg, key);
	size_t n = json_array_size(array);

	if (!n || n > OPTIONS_MAX_FLOWS)
		return NULL;
	*flows = (unsigned int)n;
	return array;
}

int protocol_ready_parse(const json_t *msg, struct protocol_ready *ready)
{
	const json_t *ports;
	unsigned int i;

	memset(ready, 0, sizeof(*ready));
	ports = protocol_is(msg, "ready") ? flow_array(msg, "ports", &ready->flows) : NULL;
	if (!ports)
		return -EPROTO;
	ready->nonce = (uint64_t)channel_int(msg, "nonce", 0, INT64_MAX, 0);
	ready->socket_bytes = (uint64_t)channel_int(msg, "socket_bytes", 0, INT64_MAX, 0);
	for (i = 0; i < ready->flows; i++) {
		json_int_t port = json_integer_value(json_array_get(ports, i));

		if (port < 1 || port > UINT16_MAX)
			return -EPROTO;
		ready->ports[i] = (uint16_t)port;
	}
	return 0;
}

json_t *protocol_end_pack(const struct protocol_end *end)
{
	json_t *flows = json_array();
	unsigned int i;

	for (i = 0; i < end->flows; i++) {
		const struct result_sent *s = &end->sent[i];

		json_array_append_new(flows, json_pack("{s:f, s:o, s:o, s:o, s:o}", "seconds", s->seconds,
						       "bytes", integer(s->bytes),
						       "packets", integer(s->packets),
						       "send_errors", integer(s->send_errors),
						       "warmup_bytes",
						       integer(end->warmup_bytes[i])));
	}
	return json_pack("{s:s, s:o, s:o, s:o}", "type", "end", "flows", flows,
			 "queue_drops", integer(end->queue_drops),
			 "send_socket_bytes", integer(end->send_socket_bytes));
}

static uint64_t counter(const json_t *o, const char *key)
{
	return (uint64_t)channel_int(o, key, 0, INT64_MAX, 0);
}

int protocol_end_parse(const json_t *msg, struct protocol_end *end)
{
	const json_t *flows;
	unsigned int i;

	memset(end, 0, sizeof(*end));
	flows = protocol_is(msg, "end") ? flow_array(msg, "flows", &end->flows) : NULL;
	if (!flows)
		return -EPROTO;
	end->queue_drops = counter(msg, "queue_drops");
	end->send_socket_bytes = counter(msg, "send_socket_bytes");
	for (i = 0; i < end->flows; i++) {
		const json_t *o = json_array_get(flows, i);
		double seconds = channel_real(o, "seconds", 0);

		end->sent[i] = (struct result_sent){
			.seconds = seconds > 0 ? seconds : 0,
			.bytes = counter(o, "bytes"),
			.packets = counter(o, "packets"),
			.send_errors = counter(o, "send_errors"),
		};
		end->warmup_bytes[i] = counter(o, "warmup_bytes");
	}
	return 0;
}

json_t *protocol_progress_pack(const struct protocol_progress *progress)
{
	return json_pack("{s:s, s:o, s:o}", "type", "progress",
			 "packets", integer(progress->packets),
			 "socket_drops", integer(progress->socket_drops));
}

int protocol_progress_parse(const json_t *msg, struct protocol_progress *progress)
{
	progress->packets = counter(msg, "packets");
	progress->socket_drops = counter(msg, "socket_drops");
	return protocol_is(msg, "progress") ? 0 : -EPROTO;
}

json_t *protocol_result_pack(const struct protocol_result *result)
{
	json_t *flows = json_array();
	unsigned int i;

	for (i = 0; i < result->flows; i++) {
		const struct receiver_counts *c = &result->counts[i];

		json_array_append_new(
			flows, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}",
					 "packets", integer(c->packets), "bytes", integer(c->bytes),
					 "duplicates", integer(c->duplicates),
					 "out_of_order", integer(c->out_of_order),
					 "foreign", integer(c->foreign),
					 "socket_drops", integer(c->socket_drops),
					 "span_ns", (json_int_t)c->span_ns,
					 "jitter_ns", (json_int_t)c->jitter_ns));
	}
	return json_pack("{s:s, s:o, s:o, s:f, s:f}", "type", "result", "flows", flows,
			 "cpu_known", json_boolean(result->cpu.is_known),
			 "cpu_busy_s", result->cpu.busy_s, "cpu_all_s", result->cpu.all_s);
}

int protocol_result_parse(const json_t *msg, struct protocol_result *result)
{
	const json_t *flows;
	unsigned int i;

	memset(result, 0, sizeof(*result));
	flows = protocol_is(msg, "result") ? flow_array(msg, "flows", &result->flows) : NULL;
	if (!flows)
		return -EPROTO;
	result->cpu.is_known = json_is_true(json_object_get(msg, "cpu_known"));
	result->cpu.busy_s = channel_real(msg, "cpu_busy_s", 0);
	result->cpu.all_s = channel_real(msg, "cpu_all_s", 0);
	for (i = 0; i < result->flows; i++) {
		const json_t *o = json_array_get(flows, i);

		result->counts[i] = (struct receiver_counts){
			.packets = counter(o, "packets"),
			.bytes = counter(o, "bytes"),
			.duplicates = counter(o, "duplicates"),
			.out_of_order = counter(o, "out_of_order"),
			.foreign = counter(o, "foreign"),
			.socket_drops = counter(o, "socket_drops"),
			.span_ns = channel_int(o, "span_ns", 0, INT64_MAX, 0),
			.jitter_ns = channel_int(o, "jitter_ns", 0, INT64_MAX, -1),
		};
	}
	return 0;
}
