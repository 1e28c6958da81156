// SPDX-License-Identifier: GPL-2.0-or-later
/* One client's visit to the server, in a process of its own: the greeting, and what the client has come for. */
#include "session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "clock.h"
#include "cmd.h"
#include "handover.h"
#include "session_state.h"
#include "verbs_protocol.h"
#include "verbs_session.h"

#define ASK_NS (5 * NSEC_PER_SEC)
#define SEND_NS (5 * NSEC_PER_SEC)

int session_complain(const struct session *s, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "ubench server: %s: %s\n", s->client, text);
	return UBENCH_EXIT_FAILED;
}

int session_refuse(struct session *s, const char *what, int error)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s%s", what, error ? ": " : "",
		 error ? strerror(-error) : "");
	(void)session_link_send(&s->link, protocol_error(text));
	return session_complain(s, "%s", text);
}

/* The client's nonce makes the key of the connection; its next message must be made with it. */
static int use_key(struct session *s, const struct secret *key, const char *challenge)
{
	struct secret session;
	json_t *msg;
	int ret;

	ret = channel_recv(&s->link.control, &msg, clock_now_ns() + ASK_NS);
	if (ret)
		return ret;
	if (!protocol_is(msg, "auth") || !*protocol_nonce(msg)) {
		json_decref(msg);
		return -EPROTO;
	}
	secret_derive(key, challenge, protocol_nonce(msg), &session);
	json_decref(msg);
	channel_set_key(&s->link.control, &session, true);
	return 0;
}

static int greet(struct session *s, const struct secret *key)
{
	struct addr peer = { .len = sizeof(peer.ss) };
	char challenge[SECRET_NONCE_TEXT_BYTES] = "";
	int ret;

	strcpy(s->client, "?");
	s->local.len = sizeof(s->local.ss);
	if (getpeername(s->link.control.fd, (struct sockaddr *)&peer.ss, &peer.len) ||
	    getsockname(s->link.control.fd, (struct sockaddr *)&s->local.ss, &s->local.len))
		return -errno;
	addr_unmap(&peer);
	addr_unmap(&s->local);
	s->peer = peer;
	addr_text(&peer, s->client);
	if (key)
		secret_nonce(challenge);
	ret = channel_send(&s->link.control, protocol_hello(challenge), clock_now_ns() + SEND_NS);
	return ret || !key ? ret : use_key(s, key, challenge);
}

/* The client has come back to a run: its session goes on with this connection. */
static int hand_over(struct session *s, const char *token)
{
	const struct handover_place *place =
		handover_find(s->config->places, s->config->n_places, token);
	int ret = place ? handover_send(place->fd, &s->link.control) : -ENOENT;

	if (ret)
		return session_refuse(s, "no such run to resume", 0);
	session_complain(s, "back on a new control connection");
	return UBENCH_EXIT_OK;
}

/* A session that runs has no business with the others. */
static void forget_others(const struct session_config *config)
{
	size_t i;

	for (i = 0; i < config->n_places; i++)
		if (config->places[i].fd >= 0)
			close(config->places[i].fd);
}

static int serve(struct session *s, json_t *request)
{
	const char *token = protocol_resume_token(request);

	if (token)
		return hand_over(s, token);
	forget_others(s->config);
	if (s->config->no_room)
		return session_refuse(s, s->config->no_room, 0);
	if (!strcmp(channel_str(request, "test"), VERBS_TEST_NAME))
		return verbs_session_run(&s->link.control, &s->local, s->client, request);
	return session_stream(s, request);
}

int session_run(const struct session_config *config)
{
	static struct session s;
	json_t *request;
	int ret;

	s = (struct session){ .config = config, .link.handover_fd = -1 };
	channel_open(&s.link.control, config->fd);
	ret = greet(&s, config->key);
	if (ret)
		return session_complain(&s, "greeting: %s", strerror(-ret));
	ret = channel_recv(&s.link.control, &request, clock_now_ns() + ASK_NS);
	if (ret == -EBADMSG)
		return session_refuse(&s, "wrong key", 0);
	if (ret)
		return session_complain(&s, "no request: %s", strerror(-ret));
	s.link.handover_fd = config->handover_fd;
	ret = serve(&s, request);
	json_decref(request);
	channel_close(&s.link.control);
	return ret;
}
