// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages that set up a run over the control connection, packed and parsed. */
#include "protocol.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "affinity.h"
#include "channel.h"
#include "cmd.h"
#include "protocol_json.h"
#include "sender.h"

#define MAX_MESSAGE_BYTES (64 << 20)
#define MAX_UDP_BYTES 65507

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
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:o, s:i, s:i, s:b, s:o, s:i, s:s, s:o, "
			 "s:b, s:b, s:i, s:i, s:f}", "type", "run",
			 "test", run->test, "host", run->host, "data_address", run->data_address,
			 "family", run->family == AF_INET6 ? 6 : 4, "flows", (int)run->flows,
			 "message_bytes", protocol_integer(run->message_bytes),
			 "socket_bytes", protocol_integer(run->socket_bytes),
			 "data_port", (int)run->data_port, "cpu", (int)run->cpu,
			 "has_warmup", (int)run->has_warmup,
			 "response_bytes", protocol_integer(run->response_bytes),
			 "progress_ms", (int)run->progress_ms,
			 "clock_id", run->clock_id, "nonce", protocol_integer(run->nonce),
			 "has_gro", (int)run->has_gro, "is_bidirectional", (int)run->is_bidirectional,
			 "batch", (int)run->batch, "gso", (int)run->gso, "pps", run->pps);
}

static bool is_true(const json_t *msg, const char *key)
{
	return json_is_true(json_object_get(msg, key));
}

/* What the server is to send. 0 or -EPROTO. */
static int parse_sending(const json_t *msg, struct protocol_run *run)
{
	run->is_bidirectional = is_true(msg, "is_bidirectional");
	run->batch = (long)channel_int(msg, "batch", 1, SENDER_MAX_BATCH, 1);
	run->gso = (long)channel_int(msg, "gso", 1, SENDER_MAX_GSO, 1);
	run->pps = channel_real(msg, "pps", 0);
	if (!(run->pps >= 0 && run->pps <= 1e9))
		return -EPROTO;
	return run->gso > 1 && (uint64_t)run->gso * run->message_bytes > MAX_UDP_BYTES ? -EPROTO : 0;
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
	run->nonce = protocol_counter(msg, "nonce");
	run->has_warmup = is_true(msg, "has_warmup");
	run->has_gro = is_true(msg, "has_gro");
	if (!run->flows || !run->message_bytes)
		return -EPROTO;
	if (protocol_string(msg, "test", run->test, sizeof(run->test)) ||
	    protocol_string(msg, "host", run->host, sizeof(run->host)) ||
	    protocol_string(msg, "clock_id", run->clock_id, sizeof(run->clock_id)) ||
	    protocol_string(msg, "data_address", run->data_address, sizeof(run->data_address)))
		return -EPROTO;
	return parse_sending(msg, run);
}

static json_t *pack_ports(const uint16_t *ports, unsigned int flows)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < flows; i++)
		json_array_append_new(array, json_integer(ports[i]));
	return array;
}

static int parse_ports(const json_t *msg, uint16_t *ports, unsigned int *flows)
{
	const json_t *array = protocol_flows(msg, "ports", flows);
	unsigned int i;

	if (!array)
		return -EPROTO;
	for (i = 0; i < *flows; i++) {
		json_int_t port = json_integer_value(json_array_get(array, i));

		if (port < 1 || port > UINT16_MAX)
			return -EPROTO;
		ports[i] = (uint16_t)port;
	}
	return 0;
}

json_t *protocol_ready_pack(const struct protocol_ready *ready)
{
	return json_pack("{s:s, s:o, s:o, s:s, s:b, s:b, s:o}", "type", "ready",
			 "nonce", protocol_integer(ready->nonce),
			 "socket_bytes", protocol_integer(ready->socket_bytes),
			 "token", ready->token, "is_same_clock", (int)ready->is_same_clock,
			 "has_gro", (int)ready->has_gro,
			 "ports", pack_ports(ready->ports, ready->flows));
}

int protocol_ready_parse(const json_t *msg, struct protocol_ready *ready)
{
	const char *token = channel_str(msg, "token");

	memset(ready, 0, sizeof(*ready));
	if (!protocol_is(msg, "ready"))
		return -EPROTO;
	ready->nonce = protocol_counter(msg, "nonce");
	ready->socket_bytes = protocol_counter(msg, "socket_bytes");
	ready->is_same_clock = is_true(msg, "is_same_clock");
	ready->has_gro = is_true(msg, "has_gro");
	if (secret_is_nonce(token))
		strcpy(ready->token, token);
	return parse_ports(msg, ready->ports, &ready->flows);
}

json_t *protocol_begin_pack(const struct protocol_begin *begin)
{
	return json_pack("{s:s, s:o}", "type", "begin", "ports",
			 pack_ports(begin->ports, begin->flows));
}

int protocol_begin_parse(const json_t *msg, struct protocol_begin *begin)
{
	memset(begin, 0, sizeof(*begin));
	if (!protocol_is(msg, "begin"))
		return -EPROTO;
	return parse_ports(msg, begin->ports, &begin->flows);
}

json_t *protocol_resume(const char *token)
{
	return json_pack("{s:s, s:s}", "type", "resume", "token", token);
}

const char *protocol_resume_token(const json_t *msg)
{
	const char *token = channel_str(msg, "token");

	if (!protocol_is(msg, "resume"))
		return NULL;
	return secret_is_nonce(token) ? token : "";
}

json_t *protocol_resumed(void)
{
	return json_pack("{s:s}", "type", "resumed");
}
