// SPDX-License-Identifier: GPL-2.0-or-later
/* The client's half of the control protocol. Failures go into the result, with a reason. */
#include "client.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "clock.h"
#include "cmd.h"
#include "options.h"
#include "result.h"

#define CONNECT_NS (5 * NSEC_PER_SEC)
#define ANSWER_NS (5 * NSEC_PER_SEC)
/* The server waits for late packets before its result. */
#define RESULT_NS (15 * NSEC_PER_SEC)
#define MAX_ADDRESSES 8

/* The address family of the server's host decides who is asked first; the last failure is told. */
static int connect_any(struct client *c, const struct addr *list, int n)
{
	int i, fd = -EADDRNOTAVAIL;

	for (i = 0; i < n && fd < 0; i++) {
		fd = addr_connect_tcp(&list[i], c->opt->device, clock_now_ns() + CONNECT_NS);
		c->peer = list[i];
	}
	return fd;
}

static const char *reason(int error)
{
	switch (error) {
	case -ECONNRESET:
	case -EPIPE:
		return "it closed the connection";
	case -ETIMEDOUT:
		return "it does not answer";
	case -EBADMSG:
		return "it has another key";
	case -EPROTO:
		return "it does not speak this protocol";
	}
	return strerror(-error);
}

static bool fail(struct client *c, const char *doing, int error)
{
	result_set_error(c->result, UBENCH_EXIT_FAILED, "control", "server %s port %u, %s: %s",
			 c->opt->host, c->opt->port, doing, reason(error));
	channel_close(&c->control);
	return false;
}

bool client_send(struct client *c, const char *doing, json_t *msg)
{
	int ret = channel_send(&c->control, msg, clock_now_ns() + ANSWER_NS);

	return ret ? fail(c, doing, ret) : true;
}

bool client_receive(struct client *c, const char *doing, int64_t wait_ns, json_t **msg)
{
	int ret = channel_recv(&c->control, msg, clock_now_ns() + wait_ns);

	if (ret)
		return fail(c, doing, ret);
	if (!protocol_error_text(*msg))
		return true;
	result_set_error(c->result, protocol_error_code(*msg), "server", "server %s: %s", c->opt->host,
			 protocol_error_text(*msg));
	json_decref(*msg);
	channel_close(&c->control);
	return false;
}

/* Agree on the connection's key. */
static bool use_key(struct client *c, const char *challenge)
{
	char nonce[SECRET_NONCE_TEXT_BYTES];
	struct secret key, session;
	int ret;

	ret = secret_read(c->opt->key_file, &key);
	if (ret) {
		result_set_error(c->result, UBENCH_EXIT_FAILED, "control", "key file %s: %s",
				 c->opt->key_file, secret_reason(ret));
		return false;
	}
	secret_nonce(nonce);
	secret_derive(&key, challenge, nonce, &session);
	if (!client_send(c, "greeting", protocol_auth(nonce)))
		return false;
	channel_set_key(&c->control, &session, false);
	return true;
}

/* Both have a key or neither: a client that was given one does not go on without it. */
static bool match_keys(struct client *c, const char *challenge)
{
	if (*challenge && c->opt->key_file)
		return use_key(c, challenge);
	if (!*challenge && !c->opt->key_file)
		return true;
	result_set_error(c->result, UBENCH_EXIT_FAILED, "control", "server %s %s", c->opt->host,
			 *challenge ? "wants a key (--key-file)" : "has no key, this client has");
	channel_close(&c->control);
	return false;
}

static bool say_hello(struct client *c)
{
	int64_t version;
	bool is_agreed;
	json_t *msg;

	if (!client_receive(c, "greeting", ANSWER_NS, &msg))
		return false;
	version = protocol_hello_version(msg);
	if (version == CHANNEL_PROTOCOL) {
		is_agreed = match_keys(c, protocol_nonce(msg));
		json_decref(msg);
		return is_agreed;
	}
	json_decref(msg);
	if (version < 0)
		return fail(c, "greeting", -EPROTO);
	result_set_error(c->result, UBENCH_EXIT_FAILED, "control",
			 "server %s speaks protocol %lld, this client %d", c->opt->host,
			 (long long)version, CHANNEL_PROTOCOL);
	channel_close(&c->control);
	return false;
}

bool client_connect(struct client *c)
{
	struct addr list[MAX_ADDRESSES];
	const char *why;
	int n, fd;

	n = addr_resolve(c->opt->host, c->opt->device, c->opt->port, c->opt->family, list,
			 MAX_ADDRESSES, &why);
	if (n < 0) {
		result_set_error(c->result, UBENCH_EXIT_FAILED, "control",
				 "cannot resolve host %s: %s", c->opt->host, why);
		return false;
	}
	fd = connect_any(c, list, n);
	if (fd < 0) {
		result_set_error(c->result, UBENCH_EXIT_FAILED, "control",
				 "no server at %s port %u: %s", c->opt->host, c->opt->port,
				 strerror(-fd));
		return false;
	}
	channel_open(&c->control, fd);
	return say_hello(c);
}

bool client_prepare(struct client *c, const struct protocol_run *run, struct protocol_ready *ready)
{
	json_t *msg;
	int ret;

	if (!client_send(c, "asking for a run", protocol_run_pack(run)))
		return false;
	if (!client_receive(c, "asking for a run", ANSWER_NS, &msg))
		return false;
	ret = protocol_ready_parse(msg, ready);
	json_decref(msg);
	if (!ret && ready->flows != run->flows)
		ret = -EPROTO;
	return ret ? fail(c, "asking for a run", ret) : true;
}

bool client_finish(struct client *c, const struct protocol_end *end,
		   struct protocol_result *result)
{
	struct protocol_progress late;
	bool is_late;
	json_t *msg;
	int ret;

	if (!client_send(c, "asking for the result", protocol_end_pack(end)))
		return false;
	do {
		if (!client_receive(c, "asking for the result", RESULT_NS, &msg))
			return false;
		/* Progress that was under way. */
		is_late = !protocol_progress_parse(msg, &late);
		ret = is_late ? 0 : protocol_result_parse(msg, result);
		json_decref(msg);
	} while (is_late);
	if (!ret && result->flows != end->flows)
		ret = -EPROTO;
	return ret ? fail(c, "asking for the result", ret) : true;
}

bool client_progress(struct client *c, struct protocol_progress *progress)
{
	json_t *msg;
	int ret;

	if (!client_receive(c, "during the run", ANSWER_NS, &msg))
		return false;
	ret = protocol_progress_parse(msg, progress);
	json_decref(msg);
	return ret ? fail(c, "during the run", ret) : true;
}

void client_control_lost(struct client *c)
{
	json_t *msg;

	if (client_receive(c, "during the run", ANSWER_NS, &msg)) {
		json_decref(msg);
		fail(c, "during the run", -EPROTO);
	}
}
