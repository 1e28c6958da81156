// SPDX-License-Identifier: GPL-2.0-or-later
/* From a command line to queue pairs that face their receivers. */
#include "verbs_run.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <jansson.h>

#include "clock.h"
#include "cmd.h"

#define SETUP_NS (15 * NSEC_PER_SEC)

bool verbs_run_fail(struct verbs_run *run, const char *where, const char *doing, int error)
{
	result_set_error(&run->result, UBENCH_EXIT_FAILED, where, "%s: %s", doing, strerror(error));
	return false;
}

bool verbs_run_take_error(struct verbs_run *run, const struct result_error *err)
{
	if (err->code)
		result_set_error(&run->result, err->code, err->where, "%s", err->message);
	return false;
}

static bool resolve(struct verbs_run *run, const char *text, struct addr *a)
{
	const char *why;

	if (addr_resolve(text, "", 0, run->opt.global.family, a, 1, &why) > 0)
		return true;
	result_set_error(&run->result, UBENCH_EXIT_FAILED, "data", "cannot resolve %s: %s", text, why);
	return false;
}

static bool connect_peer(struct verbs_run *run, struct verbs_peer *peer)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP };

	peer->client.opt = &peer->opt;
	peer->client.result = &run->result;
	if (!client_connect(&peer->client))
		return false;
	if (epoll_ctl(run->controls_fd, EPOLL_CTL_ADD, peer->client.control.fd, &event))
		return verbs_run_fail(run, "control", "watching the control connection", errno);
	return true;
}

/* The address to leave from: as told, else that of the control connection. */
static bool find_source(struct verbs_run *run)
{
	if (*run->opt.source)
		return resolve(run, run->opt.source, &run->source);
	run->source.len = sizeof(run->source.ss);
	if (getsockname(run->peers[0].client.control.fd, (struct sockaddr *)&run->source.ss,
			&run->source.len))
		return verbs_run_fail(run, "control", "own address", errno);
	addr_unmap(&run->source);
	addr_set_port(&run->source, 0);
	return true;
}

static bool ask_setup(struct verbs_run *run, struct verbs_peer *peer)
{
	struct verbs_request request = {
		.way = run->opt.way,
		.nonce = run->nonce,
		.flows = run->opt.qps,
		.message_bytes = run->opt.message_bytes,
		.recv_depth = run->opt.recv_depth,
		.uses_events = run->opt.uses_events,
		.device = run->opt.peer_device,
		.moderation_count = run->opt.moderation_count,
		.moderation_usecs = run->opt.moderation_usecs,
		.cpu = run->opt.global.remote_cpu,
	};
	json_t *msg;
	int ret;

	strcpy(request.host, run->result.host);
	strcpy(request.address, run->opt.peer_address);
	strcpy(request.group, run->opt.group);
	if (!client_send(&peer->client, "asking for a run", verbs_request_pack(&request)) ||
	    !client_receive(&peer->client, "asking for a run", SETUP_NS, &msg))
		return false;
	ret = verbs_setup_parse(msg, &peer->setup);
	json_decref(msg);
	return ret ? verbs_run_fail(run, "control", "the server's answer", EPROTO) : true;
}

static bool await_ready(struct verbs_run *run, struct verbs_peer *peer)
{
	json_t *msg;
	bool is_ready;

	if (!client_receive(&peer->client, "waiting for the receiver", SETUP_NS, &msg))
		return false;
	is_ready = protocol_is(msg, "ready");
	json_decref(msg);
	return is_ready ? true : verbs_run_fail(run, "control", "the server's answer", EPROTO);
}

static void configure_link(struct verbs_run *run)
{
	const struct verbs_options *opt = &run->opt;

	run->link.way = opt->way;
	run->link.choice = opt->device;
	run->link.nonce = run->nonce;
	run->link.config = (struct verbs_endpoint_config){
		.n_qps = opt->qps,
		.send_depth = opt->send_depth,
		.buffer_bytes = opt->message_bytes,
		.inline_bytes = opt->inline_bytes,
		.uses_events = opt->uses_events,
		.moderation_count = opt->moderation_count,
		.moderation_usecs = opt->moderation_usecs,
		.post_api = opt->post_api,
		.numa_node = opt->numa_node,
		.cq_entries = opt->fault_cq,
	};
}

static bool connect_link(struct verbs_run *run)
{
	/* Without its own address the path to another one of the peer's is the routing's choice. */
	bool has_source = *run->opt.source || !*run->opt.peer_address ||
			  run->opt.way != VERBS_BY_CM;
	struct result_error err = { 0 };
	struct addr peer = run->peers[0].client.peer;

	if (run->opt.way == VERBS_BY_GROUP && !resolve(run, run->opt.group, &peer))
		return false;
	if (run->opt.way == VERBS_BY_CM && *run->opt.peer_address &&
	    !resolve(run, run->opt.peer_address, &peer))
		return false;
	addr_unmap(&peer);
	configure_link(run);
	if (!verbs_link_connect(&run->link, has_source ? &run->source : NULL, &peer,
				&run->peers[0].setup, clock_now_ns() + SETUP_NS, &err))
		return true;
	return verbs_run_take_error(run, &err);
}

bool verbs_run_prepare(struct verbs_run *run)
{
	unsigned int i;

	if (getrandom(&run->nonce, sizeof(run->nonce), 0) < 0)
		return verbs_run_fail(run, "client", "random numbers", errno);
	run->nonce &= INT64_MAX;	/* JSON's integers are signed */
	for (i = 0; i < run->n_peers; i++)
		if (!connect_peer(run, &run->peers[i]) || (!i && !find_source(run)) ||
		    !ask_setup(run, &run->peers[i]))
			return false;
	if (!connect_link(run))
		return false;
	for (i = 0; i < run->n_peers; i++)
		if (!await_ready(run, &run->peers[i]))
			return false;
	return true;
}
