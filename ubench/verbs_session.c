// SPDX-License-Identifier: GPL-2.0-or-later
/* The server's half of a VERBS_UD run. */
#include "verbs_session.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <jansson.h>

#include "affinity.h"
#include "clock.h"
#include "cmd.h"
#include "protocol.h"
#include "verbs_async.h"
#include "verbs_error.h"
#include "verbs_link.h"
#include "verbs_protocol.h"
#include "verbs_receiver.h"

#define SEND_NS (5 * NSEC_PER_SEC)
#define SETUP_NS (20 * NSEC_PER_SEC)
/* No run is longer; the connection's keepalive finds dead clients much earlier. */
#define RUN_NS (7 * 86400 * NSEC_PER_SEC)
/* How long packets may be under way after the sender's last word. */
#define QUIET_NS (300 * NSEC_PER_MSEC)
#define DRAIN_NS (10 * NSEC_PER_SEC)
#define MAX_BUFFER_BYTES (1ULL << 30)
#define MAX_MTU_BYTES 4096u

struct verbs_session {
	struct channel *control;
	const char *client;
	struct verbs_request request;
	struct verbs_link link;
	struct verbs_receiver receiver;
	struct verbs_async async;
	json_t *counters_before;
	struct result_error error;
};

static int tell(struct verbs_session *s, json_t *msg)
{
	int ret = channel_send(s->control, msg, clock_now_ns() + SEND_NS);

	return ret ? verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control", "control connection: %s",
				strerror(-ret)) : 0;
}

/* Numeric address of the request, or the fallback. */
static int find_address(struct verbs_session *s, const char *text, const struct addr *fallback,
			struct addr *a)
{
	const char *why;

	*a = *fallback;
	addr_set_port(a, 0);
	if (!*text || addr_resolve(text, "", 0, AF_UNSPEC, a, 1, &why) > 0)
		return 0;
	return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control", "bad address %s", text);
}

static int configure(struct verbs_session *s)
{
	const struct verbs_request *r = &s->request;

	if ((uint64_t)r->flows * r->recv_depth * MAX_MTU_BYTES > MAX_BUFFER_BYTES)
		return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control",
				  "the receive buffers would take more than 1 GiB; take smaller -q or -r");
	s->link.way = r->way;
	s->link.choice = r->device;
	s->link.nonce = r->nonce;
	s->link.config = (struct verbs_endpoint_config){
		.n_qps = r->flows,
		.recv_depth = r->recv_depth,
		.buffer_bytes = r->message_bytes,
		.uses_events = r->uses_events,
		.moderation_count = r->moderation_count,
		.moderation_usecs = r->moderation_usecs,
		.post_api = VERBS_POST_SEND,
		.numa_node = -1,
	};
	return 0;
}

static int start_receiver(struct verbs_session *s)
{
	struct verbs_receiver_config config = {
		.nonce = s->request.nonce,
		.message_bytes = s->request.message_bytes,
		.flows = s->request.flows,
	};
	int ret;

	ret = verbs_receiver_init(&s->receiver, &s->link.ep, &config, &s->error);
	if (ret)
		return ret;
	s->counters_before = verbs_counters_read(&s->link.dev);
	s->receiver.worker.cpu = s->request.cpu;
	s->receiver.worker.node = s->link.ep.numa_node;
	ret = verbs_async_start(&s->async, &s->link.dev, &s->receiver.worker.should_stop);
	if (!ret)
		ret = verbs_receiver_start(&s->receiver);
	return ret ? verbs_fail_errno(&s->error, "receiver thread", -ret) : 0;
}

static int set_up(struct verbs_session *s, const struct addr *local)
{
	struct verbs_setup setup;
	struct addr data, group;
	int ret;

	if (affinity_check(s->request.cpu))
		return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control",
				  "no CPU %ld at the remote end", s->request.cpu);
	ret = configure(s);
	if (!ret)
		ret = find_address(s, s->request.address, local, &data);
	if (!ret)
		ret = find_address(s, s->request.group, local, &group);
	if (!ret)
		ret = verbs_link_listen(&s->link, &data, &group, &setup, &s->error);
	if (!ret)
		ret = tell(s, verbs_setup_pack(&setup));
	if (!ret)
		ret = verbs_link_accept(&s->link, clock_now_ns() + SETUP_NS, &s->error);
	if (!ret)
		ret = start_receiver(s);
	return ret ? ret : tell(s, verbs_ready_pack());
}

static void count(struct verbs_session *s, const struct verbs_end *end, struct verbs_outcome *out)
{
	json_t *after, *since;
	uint32_t i;

	after = verbs_counters_read(&s->link.dev);
	since = verbs_counters_since(s->counters_before, after);
	json_decref(after);
	memset(out, 0, sizeof(*out));
	out->flows = end->flows;
	for (i = 0; i < end->flows; i++)
		verbs_receiver_count(&s->receiver, i, end->sent[i], &out->received[i]);
	out->foreign = s->receiver.foreign;
	out->completions = s->receiver.completions;
	out->events = s->link.ep.events;
	out->drops = verbs_counters_drops(since, s->receiver.completions);
	out->device = verbs_device_describe(&s->link.dev);
	json_object_set_new(out->device, "counters", since);
}

static void report(const struct verbs_session *s, const struct verbs_outcome *out)
{
	uint64_t packets = 0, lost = 0;
	uint32_t i;

	for (i = 0; i < out->flows; i++) {
		packets += out->received[i].packets;
		lost += out->received[i].lost_packets;
	}
	printf(VERBS_TEST_NAME " from %s: %" PRIu64 " packets received, %" PRIu64 " lost, %" PRIu64 " foreign\n",
	       s->request.host, packets, lost, out->foreign);
	fflush(stdout);
}

/* The sender's last word, or what came instead of it. */
static int hear_end(struct verbs_session *s, struct verbs_end *end)
{
	json_t *msg;
	int ret;

	ret = channel_recv(s->control, &msg, clock_now_ns() + RUN_NS);
	if (ret)
		return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control",
				  "the client left during its run: %s", strerror(-ret));
	ret = verbs_end_parse(msg, end);
	json_decref(msg);
	if (ret || end->flows != s->request.flows)
		return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "control",
				  "malformed end of the run");
	return 0;
}

static int finish(struct verbs_session *s)
{
	static struct verbs_outcome outcome;
	static struct verbs_end end;
	uint64_t sent = 0;
	uint32_t i;
	int ret;

	ret = hear_end(s, &end);
	if (ret)
		return ret;
	for (i = 0; i < end.flows; i++)
		sent += end.sent[i];
	verbs_receiver_finish(&s->receiver, sent, QUIET_NS, DRAIN_NS);
	verbs_async_stop(&s->async);
	if (s->async.error.code || s->receiver.error.code) {
		s->error = s->async.error.code ? s->async.error : s->receiver.error;
		return -EIO;
	}
	count(s, &end, &outcome);
	ret = tell(s, verbs_outcome_pack(&outcome));
	report(s, &outcome);
	json_decref(outcome.device);
	return ret;
}

int verbs_session_run(struct channel *control, const struct addr *local, const char *client,
		      const json_t *request)
{
	static struct verbs_session s;
	int ret;

	s.control = control;
	s.client = client;
	ret = verbs_request_parse(request, &s.request);
	if (ret)
		verbs_fail(&s.error, UBENCH_EXIT_FAILED, "control", "malformed request");
	if (!ret)
		ret = set_up(&s, local);
	if (!ret)
		ret = finish(&s);
	if (ret) {
		fprintf(stderr, "ubench server: %s: %s\n", client, s.error.message);
		(void)channel_send(control, protocol_error_with(s.error.message, s.error.code),
				   clock_now_ns() + SEND_NS);
	}
	worker_stop(&s.receiver.worker);
	verbs_async_stop(&s.async);
	json_decref(s.counters_before);
	if (s.receiver.ep)
		verbs_receiver_free(&s.receiver);
	verbs_link_close(&s.link);
	return ret ? UBENCH_EXIT_FAILED : UBENCH_EXIT_OK;
}
