// SPDX-License-Identifier: GPL-2.0-or-later
/* VERBS_UD: sends UD packets over verbs with selective signaling, then asks what became of them. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "affinity.h"
#include "client.h"
#include "clock.h"
#include "cmd.h"
#include "env.h"
#include "finish.h"
#include "interim.h"
#include "interrupt.h"
#include "result.h"
#include "verbs_async.h"
#include "verbs_error.h"
#include "verbs_link.h"
#include "verbs_options.h"
#include "verbs_protocol.h"
#include "verbs_report.h"
#include "verbs_sender.h"
#include "watch.h"

#define SETUP_NS (15 * NSEC_PER_SEC)
#define RESULT_NS (15 * NSEC_PER_SEC)
#define EVENT_NS (500 * NSEC_PER_MSEC)

/* One server that receives. */
struct verbs_peer {
	struct options opt;	/* the global ones, with this server's host */
	struct client client;
	struct verbs_setup setup;
};

struct verbs_run {
	struct verbs_options opt;
	struct ubench_result result;
	unsigned int n_peers;
	struct verbs_peer peers[VERBS_MAX_RECEIVERS + 1];
	struct verbs_outcome outcomes[VERBS_MAX_RECEIVERS + 1];
	uint64_t nonce;
	struct addr source;	/* local address of the data, or that of the control connection */
	struct verbs_link link;
	struct verbs_sender sender;
	struct verbs_async async;
	json_t *counters_before;
	int done_fd;
	int controls_fd;	/* epoll of the control connections */
	struct interim interim;
};

static bool fail(struct verbs_run *run, const char *where, const char *doing, int error)
{
	result_set_error(&run->result, UBENCH_EXIT_FAILED, where, "%s: %s", doing, strerror(error));
	return false;
}

/* Errors that verbs code explained go into the result. */
static bool take_error(struct verbs_run *run, const struct result_error *err)
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
		return fail(run, "control", "watching the control connection", errno);
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
		return fail(run, "control", "own address", errno);
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
	return ret ? fail(run, "control", "the server's answer", EPROTO) : true;
}

static bool await_ready(struct verbs_run *run, struct verbs_peer *peer)
{
	json_t *msg;
	bool is_ready;

	if (!client_receive(&peer->client, "waiting for the receiver", SETUP_NS, &msg))
		return false;
	is_ready = protocol_is(msg, "ready");
	json_decref(msg);
	return is_ready ? true : fail(run, "control", "the server's answer", EPROTO);
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
	return take_error(run, &err);
}

static bool prepare(struct verbs_run *run)
{
	unsigned int i;

	if (getrandom(&run->nonce, sizeof(run->nonce), 0) < 0)
		return fail(run, "client", "random numbers", errno);
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

static bool init_sender(struct verbs_run *run)
{
	const struct verbs_sender_config config = {
		.nonce = run->nonce,
		.message_bytes = run->opt.message_bytes,
		.signal_rate = run->opt.signal_rate,
		.post_list = run->opt.post_list,
		.count = run->opt.count,
		.fault_wr = run->opt.fault_wr,
	};
	uint32_t i;

	for (i = 0; i < run->opt.qps && run->opt.has_qkey; i++)
		run->link.paths[i].qkey = run->opt.qkey;
	if (verbs_sender_init(&run->sender, &run->link.ep, &config, run->link.paths))
		return fail(run, "data", "setting up the sender", ENOMEM);
	run->sender.worker.cpu = run->opt.global.local_cpu;
	run->sender.worker.node = run->link.dev.numa_node;
	run->sender.worker.done_fd = run->done_fd;
	return true;
}

static struct result_sent totals(const struct verbs_run *run)
{
	uint64_t n = atomic_load_explicit(&run->sender.posted, memory_order_relaxed);

	return (struct result_sent){ .packets = n, .bytes = n * run->opt.message_bytes };
}

static void tick(void *context, int64_t now_ns)
{
	struct verbs_run *run = context;
	struct result_sent sent = totals(run);

	interim_row(&run->interim, now_ns, &sent, NULL);
}

/* A server spoke or left during the run, which it does only when it cannot go on. */
static void controls_lost(struct verbs_run *run)
{
	unsigned int i;

	for (i = 0; i < run->n_peers; i++) {
		struct pollfd p = { .fd = run->peers[i].client.control.fd, .events = POLLIN };

		if (poll(&p, 1, 0) > 0)
			client_control_lost(&run->peers[i].client);
	}
}

/* Start the sender and block until the run is over and it has stopped. */
static bool send_all(struct verbs_run *run)
{
	struct watch watch = {
		.start_ns = clock_now_ns(),
		.duration_ns = clock_from_seconds(run->opt.global.seconds),
		.interval_ns = clock_from_seconds(run->opt.global.interval_s),
		.workers = 1,
		.done_fd = run->done_fd,
		.control_fd = run->controls_fd,
		.tick = tick,
		.context = run,
	};
	enum watch_end end = WATCH_INTERRUPTED;
	struct result_sent sent;
	int ret;

	run->interim = (struct interim){ .out = run->opt.global.is_json ? NULL : stdout,
		.result = &run->result, .start_ns = watch.start_ns, .last_ns = watch.start_ns,
		.interval_ns = watch.interval_ns };
	ret = verbs_async_start(&run->async, &run->link.dev, &run->sender.worker.should_stop);
	if (!ret)
		ret = verbs_sender_start(&run->sender);
	if (!ret)
		end = watch_run(&watch);
	worker_stop(&run->sender.worker);
	if (run->sender.error.code)
		verbs_async_settle(&run->async, EVENT_NS);
	verbs_async_stop(&run->async);
	sent = totals(run);
	interim_end(&run->interim, clock_now_ns(), &sent);
	take_error(run, &run->sender.error);
	take_error(run, &run->async.error);
	if (end == WATCH_CONTROL_READABLE)
		controls_lost(run);
	return ret ? fail(run, "data", "starting a thread", -ret) : true;
}

static bool collect_sent(struct verbs_run *run, struct verbs_end *end)
{
	uint32_t i;

	end->flows = run->opt.qps;
	for (i = 0; i < run->opt.qps; i++) {
		struct result_stream stream = {
			.flow_id = i,
			.sent = {
				.seconds = 1e-9 * (double)(run->sender.end_ns - run->sender.start_ns),
				.packets = verbs_sender_sent(&run->sender, i),
			},
		};

		stream.sent.bytes = stream.sent.packets * run->opt.message_bytes;
		end->sent[i] = stream.sent.packets;
		if (result_add_stream(&run->result, &stream))
			return fail(run, "data", "collecting results", ENOMEM);
	}
	if (run->sender.worker.place_error)
		return fail(run, "data", "cannot use that local CPU", -run->sender.worker.place_error);
	return true;
}

/* The counts of a server; false when it is gone, with the reason in the result. */
static bool ask_outcome(struct verbs_run *run, const struct verbs_end *end, unsigned int i)
{
	struct client *client = &run->peers[i].client;
	json_t *msg;
	int ret;

	if (client->control.fd < 0 ||
	    !client_send(client, "asking for the result", verbs_end_pack(end)) ||
	    !client_receive(client, "asking for the result", RESULT_NS, &msg))
		return false;
	ret = verbs_outcome_parse(msg, &run->outcomes[i]);
	json_decref(msg);
	if (ret || run->outcomes[i].flows != end->flows)
		return fail(run, "control", "the server's result", EPROTO);
	json_array_append_new(json_object_get(run->result.verbs, "receivers"),
			      verbs_report_receiver(client->opt->host, &run->outcomes[i]));
	return true;
}

static void account(struct verbs_run *run, const struct verbs_end *end)
{
	json_t *after = verbs_counters_read(&run->link.dev);
	bool has_all = true;
	unsigned int i;

	run->result.verbs = verbs_report_sender(&run->opt, &run->link, &run->sender, &run->async);
	json_object_set_new(json_object_get(run->result.verbs, "device"), "counters",
			    verbs_counters_since(run->counters_before, after));
	json_decref(after);
	for (i = 0; i < run->n_peers; i++)
		has_all &= ask_outcome(run, end, i);
	verbs_report_account(&run->result, !has_all ? NULL :
			     &run->outcomes[verbs_report_worst(run->outcomes, run->n_peers)]);
	if (has_all && run->result.sent.packets && !run->result.received.packets &&
	    run->result.loss.unknown)
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "data",
				 "control ok, data blocked: none of %llu packets arrived; is UDP port 4791 open?",
				 (unsigned long long)run->result.sent.packets);
}

static void run_test(struct verbs_run *run)
{
	static struct verbs_end end;
	char interface[IF_NAMESIZE] = "";

	run->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	run->controls_fd = epoll_create1(EPOLL_CLOEXEC);
	if (run->done_fd < 0 || run->controls_fd < 0 || interrupt_init()) {
		fail(run, "client", "setting up", errno);
		return;
	}
	if (affinity_check(run->opt.global.local_cpu)) {
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "client",
				 "no CPU %ld at this end", run->opt.global.local_cpu);
		return;
	}
	if (!prepare(run) || !init_sender(run))
		return;
	if (verbs_device_interface(&run->link.dev, interface) &&
	    addr_interface(&run->source, interface))
		interface[0] = '\0';
	run->result.environment = env_collect(interface);
	run->counters_before = verbs_counters_read(&run->link.dev);
	if (send_all(run) && collect_sent(run, &end))
		account(run, &end);
}

static void begin(struct verbs_run *run)
{
	unsigned int i;

	run->done_fd = run->controls_fd = -1;
	run->n_peers = 1 + run->opt.n_receivers;
	for (i = 0; i < run->n_peers; i++) {
		run->peers[i].opt = run->opt.global;
		if (i)
			snprintf(run->peers[i].opt.host, sizeof(run->peers[i].opt.host), "%s",
				 run->opt.receivers[i - 1]);
		run->peers[i].client.control.fd = -1;
	}
}

static void end(struct verbs_run *run)
{
	unsigned int i;

	if (run->sender.ep)
		verbs_sender_free(&run->sender);
	verbs_link_close(&run->link);
	json_decref(run->counters_before);
	for (i = 0; i < run->n_peers; i++) {
		json_decref(run->outcomes[i].device);
		channel_close(&run->peers[i].client.control);
	}
	if (run->done_fd >= 0)
		close(run->done_fd);
	if (run->controls_fd >= 0)
		close(run->controls_fd);
}

int cmd_verbs_ud(int argc, char **argv)
{
	static struct verbs_run run;
	int ret = verbs_options_parse(&run.opt, argc, argv);

	if (ret >= 0)
		return ret;
	finish_start(&run.result, &run.opt.global, VERBS_TEST_NAME, argc, argv);
	worker_init();
	begin(&run);
	run_test(&run);
	end(&run);
	ret = finish_report(&run.result, &run.opt.global, verbs_report_text);
	result_free(&run.result);
	return ret;
}
