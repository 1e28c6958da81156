// SPDX-License-Identifier: GPL-2.0-or-later
/* One client's visit to the server, in a process of its own. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <jansson.h>

#include "account.h"
#include "addr.h"
#include "affinity.h"
#include "channel.h"
#include "clock.h"
#include "cmd.h"
#include "cpu.h"
#include "protocol.h"
#include "secret.h"
#include "session_test.h"
#include "verbs_protocol.h"
#include "verbs_session.h"

#define ASK_NS (5 * NSEC_PER_SEC)
#define SEND_NS (5 * NSEC_PER_SEC)

struct session {
	struct channel control;
	struct addr local;		/* where the control connection arrived */
	struct addr peer;		/* the client's host */
	char client[ADDR_TEXT_BYTES];
	struct protocol_run run;
	struct protocol_ready ready;
	const struct session_test *test;	/* NULL: none chosen yet */
	struct result_cpu cpu_at_start;
	int64_t max_ns;			/* of a run */
};

/* A line to the log. Returns the exit code of a failed session. */
__attribute__((format(printf, 2, 3)))
static int complain(const struct session *s, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "ubench server: %s: %s\n", s->client, text);
	return UBENCH_EXIT_FAILED;
}

/* The same line to the client, which is waiting for an answer. */
static int refuse(struct session *s, const char *what, int error)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s%s", what, error ? ": " : "",
		 error ? strerror(-error) : "");
	(void)channel_send(&s->control, protocol_error(text), clock_now_ns() + SEND_NS);
	return complain(s, "%s", text);
}

/* The client's nonce makes the key of the connection; its next message must be made with it. */
static int use_key(struct session *s, const struct secret *key, const char *challenge)
{
	struct secret session;
	json_t *msg;
	int ret;

	ret = channel_recv(&s->control, &msg, clock_now_ns() + ASK_NS);
	if (ret)
		return ret;
	if (!protocol_is(msg, "auth") || !*protocol_nonce(msg)) {
		json_decref(msg);
		return -EPROTO;
	}
	secret_derive(key, challenge, protocol_nonce(msg), &session);
	json_decref(msg);
	channel_set_key(&s->control, &session, true);
	return 0;
}

static int greet(struct session *s, const struct secret *key)
{
	struct addr peer = { .len = sizeof(peer.ss) };
	char challenge[SECRET_NONCE_TEXT_BYTES] = "";
	int ret;

	strcpy(s->client, "?");
	s->local.len = sizeof(s->local.ss);
	if (getpeername(s->control.fd, (struct sockaddr *)&peer.ss, &peer.len) ||
	    getsockname(s->control.fd, (struct sockaddr *)&s->local.ss, &s->local.len))
		return -errno;
	addr_unmap(&peer);
	addr_unmap(&s->local);
	s->peer = peer;
	addr_text(&peer, s->client);
	if (key)
		secret_nonce(challenge);
	ret = channel_send(&s->control, protocol_hello(challenge), clock_now_ns() + SEND_NS);
	return ret || !key ? ret : use_key(s, key, challenge);
}

/* The local address for the data, port still 0. 0 or -errno. */
static int data_address(struct session *s, struct addr *a)
{
	const char *why;

	if (*s->run.data_address)
		return addr_resolve(s->run.data_address, "", 0, s->run.family, a, 1, &why) > 0 ?
			       0 : -EADDRNOTAVAIL;
	if (s->local.ss.ss_family != s->run.family)
		return -EAFNOSUPPORT;
	*a = s->local;
	return 0;
}

static int open_test(struct session *s)
{
	struct addr base;
	int ret;

	ret = data_address(s, &base);
	if (ret)
		return ret;
	if (getrandom(&s->ready.nonce, sizeof(s->ready.nonce), 0) < 0)
		return -errno;
	s->ready.nonce &= INT64_MAX;	/* JSON's integers are signed */
	s->ready.flows = s->run.flows;
	return s->test->open(&s->run, &base, &s->ready);
}

/* The report that the client prints too. */
static void report(const struct session *s, const struct protocol_end *end,
		   const struct protocol_result *counts)
{
	struct ubench_result r;
	uint64_t drops = 0;
	unsigned int i;

	result_init(&r, s->run.test);
	snprintf(r.host, sizeof(r.host), "%s", s->run.host);
	snprintf(r.peer, sizeof(r.peer), "this server");
	r.message_bytes = s->run.message_bytes;
	r.send_socket_bytes = end->send_socket_bytes;
	r.recv_socket_bytes = s->ready.socket_bytes;
	for (i = 0; i < end->flows; i++) {
		struct result_stream stream = { .flow_id = i, .sent = end->sent[i] };

		account_stream(&stream, &counts->counts[i], s->test->kind(&s->run));
		drops += counts->counts[i].socket_drops;
		if (result_add_stream(&r, &stream))
			break;
	}
	account_sum(&r, drops, end->queue_drops);
	s->test->report(stdout, &r, 1);
	fflush(stdout);
	result_free(&r);
}

static int finish_run(struct session *s, const json_t *msg)
{
	static struct protocol_end end;
	static struct protocol_result result;
	int ret;

	if (protocol_end_parse(msg, &end) || end.flows != s->run.flows)
		return refuse(s, "malformed end of the run", 0);
	result.cpu = cpu_since(&s->cpu_at_start);
	result.flows = end.flows;
	ret = s->test->finish(&end, &result);
	if (ret)
		return refuse(s, "receiving", ret);
	ret = channel_send(&s->control, protocol_result_pack(&result), clock_now_ns() + SEND_NS);
	report(s, &end, &result);
	return ret ? complain(s, "sending the result: %s", strerror(-ret)) : UBENCH_EXIT_OK;
}

static const struct session_test *find_test(const char *name)
{
	static const struct session_test *const tests[] = { &session_udp, &session_tcp,
							     &session_rr };
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		if (!strcmp(tests[i]->name, name))
			return tests[i];
	return NULL;
}

static int start_run(struct session *s, const json_t *request)
{
	char text[64];
	int ret;

	if (protocol_run_parse(request, &s->run))
		return refuse(s, "malformed request", 0);
	s->run.peer = s->peer;
	s->run.local = s->local;
	s->test = find_test(s->run.test);
	if (!s->test)
		return refuse(s, "no such test", 0);
	if (affinity_check(s->run.cpu)) {
		snprintf(text, sizeof(text), "no CPU %ld at the remote end", s->run.cpu);
		return refuse(s, text, 0);
	}
	ret = open_test(s);
	if (ret)
		return refuse(s, "cannot receive as asked", ret);
	s->cpu_at_start = cpu_now();
	ret = channel_send(&s->control, protocol_ready_pack(&s->ready), clock_now_ns() + SEND_NS);
	return ret ? complain(s, "starting: %s", strerror(-ret)) : UBENCH_EXIT_OK;
}

/* The client's next message; meanwhile it is told of the progress, if it wants to know. */
static int await_end(struct session *s, json_t **msg)
{
	int64_t deadline_ns = clock_now_ns() + s->max_ns;
	struct protocol_progress progress;
	struct pollfd p = { .fd = s->control.fd, .events = POLLIN };
	int ret = 0;

	while (s->run.progress_ms && s->test->progress && !ret && clock_now_ns() < deadline_ns &&
	       !poll(&p, 1, (int)s->run.progress_ms)) {
		s->test->progress(&progress);
		ret = channel_send(&s->control, protocol_progress_pack(&progress),
				   clock_now_ns() + SEND_NS);
	}
	return ret ? ret : channel_recv(&s->control, msg, deadline_ns);
}

static int run_stream(struct session *s, const json_t *request)
{
	json_t *msg;
	int ret;

	ret = start_run(s, request);
	if (!ret) {
		ret = await_end(s, &msg);
		if (ret == -ETIMEDOUT) {
			ret = refuse(s, "the run is longer than this server allows", 0);
		} else if (ret) {
			ret = complain(s, "left during its run: %s", strerror(-ret));
		} else {
			ret = finish_run(s, msg);
			json_decref(msg);
		}
	}
	if (s->test)
		s->test->abort();
	return ret;
}

int session_run(int fd, const struct secret *key, double max_seconds)
{
	static struct session s;
	json_t *request;
	int ret;

	channel_open(&s.control, fd);
	s.max_ns = clock_from_seconds(max_seconds);
	ret = greet(&s, key);
	if (ret)
		return complain(&s, "greeting: %s", strerror(-ret));
	ret = channel_recv(&s.control, &request, clock_now_ns() + ASK_NS);
	if (ret == -EBADMSG)
		return refuse(&s, "wrong key", 0);
	if (ret)
		return complain(&s, "no request: %s", strerror(-ret));
	if (!strcmp(channel_str(request, "test"), VERBS_TEST_NAME))
		ret = verbs_session_run(&s.control, &s.local, s.client, request);
	else
		ret = run_stream(&s, request);
	json_decref(request);
	channel_close(&s.control);
	return ret;
}
