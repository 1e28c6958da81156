// SPDX-License-Identifier: GPL-2.0-or-later
/* The client's half of the control protocol. Failures go into the result, with a reason. */
#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "clock.h"
#include "cmd.h"
#include "options.h"
#include "result.h"

#define CONNECT_NS (5 * NSEC_PER_SEC)
#define ANSWER_NS (5 * NSEC_PER_SEC)
/* The server waits for late packets before its result. */
#define RESULT_NS (13 * NSEC_PER_SEC)
/* Added to the wait for a result, so that a run ends in foreseeable time. */
#define RESUME_NS (3 * NSEC_PER_SEC)
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
	case -ENODATA:
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

/* The next message: 0, -errno of the connection, or 1 for the server's error, then in the result. */
static int receive(struct client *c, int64_t wait_ns, json_t **msg)
{
	int ret = channel_recv(&c->control, msg, clock_now_ns() + wait_ns);

	if (ret || !protocol_error_text(*msg))
		return ret;
	result_set_error(c->result, protocol_error_code(*msg), "server", "server %s: %s", c->opt->host,
			 protocol_error_text(*msg));
	json_decref(*msg);
	channel_close(&c->control);
	return 1;
}

bool client_receive(struct client *c, const char *doing, int64_t wait_ns, json_t **msg)
{
	int ret = receive(c, wait_ns, msg);

	return ret < 0 ? fail(c, doing, ret) : !ret;
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
	if (ret)
		return fail(c, "asking for a run", ret);
	strcpy(c->token, ready->token);
	return true;
}

/* A server that does not listen any more has no run to resume either; whoever is silent is asked again. */
static int reconnect(struct client *c, int64_t patience_ns)
{
	const int64_t deadline_ns = clock_now_ns() + patience_ns;
	int fd;

	do {
		fd = addr_connect_tcp(&c->peer, c->opt->device, deadline_ns);
	} while (fd < 0 && fd != -ECONNREFUSED && clock_now_ns() < deadline_ns);
	return fd;
}

static bool ask_resume(struct client *c)
{
	bool is_resumed;
	json_t *msg;

	if (!say_hello(c) || !client_send(c, "resuming", protocol_resume(c->token)) ||
	    !client_receive(c, "resuming", ANSWER_NS, &msg))
		return false;
	is_resumed = protocol_is(msg, "resumed");
	json_decref(msg);
	return is_resumed || fail(c, "resuming", -EPROTO);
}

/* Say in c's error, if it is a new one, what the failed attempt was for. */
static void tell_cut(struct client *c, const char *doing)
{
	struct result_error *error = &c->result->error;
	char why[sizeof(error->message)];

	strcpy(why, error->message);
	snprintf(error->message, sizeof(error->message), "%s, the control connection was cut: %.180s",
		 doing, why);
}

bool client_resume(struct client *c, const char *doing, int64_t patience_ns)
{
	const bool had_error = c->result->error.code;
	bool is_resumed = false;
	int fd;

	channel_close(&c->control);
	fd = *c->token ? reconnect(c, patience_ns) : -ENOTCONN;
	if (fd < 0) {
		fail(c, "connecting again", fd);
	} else {
		channel_open(&c->control, fd);
		is_resumed = ask_resume(c);
	}
	if (!is_resumed && !had_error)
		tell_cut(c, doing);
	return is_resumed;
}

/* As receive(), past progress that was under way; -EPROTO for what is no result. */
static int receive_result(struct client *c, unsigned int flows, struct protocol_result *result)
{
	struct protocol_progress late;
	bool is_late;
	json_t *msg;
	int ret;

	do {
		ret = receive(c, RESULT_NS, &msg);
		if (ret)
			return ret;
		is_late = !protocol_progress_parse(msg, &late);
		ret = is_late ? 0 : protocol_result_parse(msg, result);
		json_decref(msg);
	} while (is_late);
	return !ret && result->flows != flows ? -EPROTO : ret;
}

static int ask_result(struct client *c, const struct protocol_end *end,
		      struct protocol_result *result)
{
	int ret = c->control.fd < 0 ? -ENOTCONN :
		  channel_send(&c->control, protocol_end_pack(end), clock_now_ns() + ANSWER_NS);

	return ret ? ret : receive_result(c, end->flows, result);
}

bool client_finish(struct client *c, const struct protocol_end *end,
		   struct protocol_result *result)
{
	static const char doing[] = "asking for the result";
	int ret = ask_result(c, end, result);

	if (ret < 0 && ret != -EPROTO && *c->token) {
		if (!client_resume(c, doing, RESUME_NS))
			return false;
		ret = ask_result(c, end, result);
	}
	return ret < 0 ? fail(c, doing, ret) : !ret;
}

int client_hear(struct client *c, struct protocol_progress *progress)
{
	json_t *msg;
	int ret = receive(c, ANSWER_NS, &msg);

	if (ret)
		return ret < 0 ? 0 : -1;
	ret = protocol_progress_parse(msg, progress);
	json_decref(msg);
	if (!ret)
		return 1;
	fail(c, "during the run", ret);
	return -1;
}

void client_control_lost(struct client *c)
{
	json_t *msg;

	if (client_receive(c, "during the run", ANSWER_NS, &msg)) {
		json_decref(msg);
		fail(c, "during the run", -EPROTO);
	}
}
