// SPDX-License-Identifier: GPL-2.0-or-later
/* A run over sockets at the server: set up, watched, counted. */
#include "session_state.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include <jansson.h>

#include "affinity.h"
#include "clock.h"
#include "cmd.h"
#include "cpu.h"
#include "session.h"
#include "session_reverse.h"
#include "session_test.h"
#include "session_watch.h"

/* So long a client may ask again for a result whose delivery failed. */
#define RESULT_NS (20 * NSEC_PER_SEC)

/* The local address for the data, port still 0. 0 or -errno, *why then told if known better. */
static int data_address(struct session *s, struct addr *a, const char **why)
{
	const char *reason;

	if (*s->run.data_address)
		return addr_resolve(s->run.data_address, "", 0, s->run.family, a, 1, &reason) > 0 ?
			       0 : -EADDRNOTAVAIL;
	if (s->local.ss.ss_family != s->run.family)
		return -EAFNOSUPPORT;
	*a = s->local;
	if (!addr_needs_scope(a))
		return 0;
	*why = "the control connection came from another link to a link-local address, which does not "
	       "say on which link: give the client a link-local source, or ask another address";
	return -EINVAL;
}

static int open_test(struct session *s, const char **why)
{
	char own_clock[CLOCK_ID_BYTES];
	struct addr base;
	int ret;

	ret = data_address(s, &base, why);
	if (ret)
		return ret;
	s->ready.nonce = s->run.nonce;
	if (!s->ready.nonce && getrandom(&s->ready.nonce, sizeof(s->ready.nonce), 0) < 0)
		return -errno;
	s->ready.nonce &= INT64_MAX;	/* JSON's integers are signed */
	s->ready.flows = s->run.flows;
	if (s->config->handover_fd >= 0)
		strcpy(s->ready.token, s->config->token);
	clock_id(own_clock);
	s->ready.is_same_clock = *own_clock && !strcmp(own_clock, s->run.clock_id);
	if (addr_interface(addr_is_multicast(&base) ? &s->local : &base, s->interface))
		s->interface[0] = '\0';
	return s->test->open(&s->run, &base, &s->ready);
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

static int start(struct session *s, const json_t *request)
{
	const char *why = NULL;
	char text[64];
	int ret;

	if (protocol_run_parse(request, &s->run))
		return session_refuse(s, "malformed request", 0);
	s->run.peer = s->peer;
	s->run.local = s->local;
	s->test = find_test(s->run.test);
	if (!s->test || (s->run.is_bidirectional && !s->test->send_back))
		return session_refuse(s, "no such test", 0);
	if (affinity_check(s->run.cpu)) {
		snprintf(text, sizeof(text), "no CPU %ld at the remote end", s->run.cpu);
		return session_refuse(s, text, 0);
	}
	ret = open_test(s, &why);
	if (ret)
		return session_refuse(s, why ? why : "cannot receive as asked", why ? 0 : ret);
	s->cpu_at_start = cpu_now();
	s->drops_at_start = drops_now(s->interface);
	ret = session_link_send(&s->link, protocol_ready_pack(&s->ready));
	return ret ? session_complain(s, "starting: %s", strerror(-ret)) : UBENCH_EXIT_OK;
}

/* The result is the client's when it has closed the connection; one that asks again gets it again. */
static void deliver(struct session *s, const struct protocol_result *result)
{
	const int64_t deadline_ns = clock_now_ns() + RESULT_NS;
	json_t *msg;
	int ret;

	(void)session_link_send(&s->link, protocol_result_pack(result));
	while (clock_now_ns() < deadline_ns) {
		ret = session_link_receive(&s->link, &msg, deadline_ns);
		if (ret == -ENODATA || ret == -EPROTO || ret == -EBADMSG)
			return;
		if (ret)
			continue;
		if (protocol_is(msg, "end"))
			(void)session_link_send(&s->link, protocol_result_pack(result));
		json_decref(msg);
	}
}

static int finish(struct session *s, const json_t *msg)
{
	static struct protocol_end end;
	static struct protocol_result result;
	struct drops drops;
	int ret;

	if (protocol_end_parse(msg, &end) || end.flows != s->run.flows)
		return session_refuse(s, "malformed end of the run", 0);
	result.cpu = cpu_since(&s->cpu_at_start);
	result.flows = end.flows;
	session_reverse_stop(&result.reverse);
	ret = s->test->finish(&end, &result);
	if (ret)
		return session_refuse(s, "receiving", ret);
	drops = drops_now(s->interface);
	result.drops = drops_since(&s->drops_at_start, &drops);
	session_report(s, &end, &result);
	deliver(s, &result);
	return UBENCH_EXIT_OK;
}

int session_stream(struct session *s, const json_t *request)
{
	struct protocol_end unused;
	json_t *msg;
	int ret;

	ret = start(s, request);
	if (!ret) {
		ret = session_watch(s, &msg);
		if (!ret) {
			ret = finish(s, msg);
			json_decref(msg);
		}
	}
	session_reverse_stop(&unused);
	if (s->test)
		s->test->abort();
	return ret;
}
