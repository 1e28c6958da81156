// SPDX-License-Identifier: GPL-2.0-or-later
/* UDP_STREAM: sends packets as fast as they go, then asks the server what became of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "account.h"
#include "affinity.h"
#include "client.h"
#include "clock.h"
#include "cmd.h"
#include "env.h"
#include "finish.h"
#include "interim.h"
#include "interrupt.h"
#include "options.h"
#include "result.h"
#include "sender.h"
#include "udp_socket.h"
#include "watch.h"
#include "wire.h"

#define DISCARD_PORT 9

static const struct options_test udp_stream = {
	.name = "UDP_STREAM",
	.summary = "Send UDP packets as fast as they go; count what is sent and what arrives.",
	.own_options = "m:s:S:H:p:",
	.default_message_bytes = 1400,
	.max_message_bytes = 65507,
};

struct udp_run {
	struct options opt;
	struct ubench_result result;
	struct client client;
	struct protocol_ready ready;
	struct addr peer;		/* of the data */
	char interface[IF_NAMESIZE];	/* that the data leaves by, or "" */
	struct sender *senders;		/* ready.flows of them */
	int done_fd;
	unsigned long long dropped_at_start;
	struct interim interim;
};

static bool fail(struct udp_run *run, const char *where, const char *doing, int error)
{
	result_set_error(&run->result, UBENCH_EXIT_FAILED, where, "%s: %s", doing,
			 strerror(error < 0 ? -error : error));
	return false;
}

/* The destination of the data: given, or the server as connected. */
static bool find_peer(struct udp_run *run)
{
	const char *host = *run->opt.data_host ? run->opt.data_host : run->opt.host;
	const char *why;

	if (!run->opt.is_send_only && !*run->opt.data_host) {
		run->peer = run->client.peer;
		return true;
	}
	if (addr_resolve(host, run->opt.device, DISCARD_PORT, run->opt.family, &run->peer, 1,
			 &why) > 0)
		return true;
	result_set_error(&run->result, UBENCH_EXIT_FAILED, "data", "cannot resolve host %s: %s",
			 host, why);
	return false;
}

/* Without a server the client makes up what a server would have answered. */
static bool prepare_alone(struct udp_run *run)
{
	unsigned int i;

	if (!find_peer(run))
		return false;
	if (getrandom(&run->ready.nonce, sizeof(run->ready.nonce), 0) < 0)
		return fail(run, "data", "random numbers", errno);
	run->ready.flows = (unsigned int)run->opt.flows;
	for (i = 0; i < run->ready.flows; i++)
		run->ready.ports[i] = run->opt.data_port ? run->opt.data_port : DISCARD_PORT;
	return true;
}

static bool prepare_with_server(struct udp_run *run)
{
	struct protocol_run request = {
		.flows = (unsigned int)run->opt.flows,
		.message_bytes = run->opt.message_bytes,
		.socket_bytes = run->opt.remote_socket_bytes,
		.data_port = run->opt.data_port,
		.cpu = run->opt.remote_cpu,
	};

	if (!client_connect(&run->client) || !find_peer(run))
		return false;
	strcpy(request.test, udp_stream.name);
	strcpy(request.host, run->result.host);
	request.family = run->peer.ss.ss_family;
	if (*run->opt.data_host)
		addr_text(&run->peer, request.data_address);
	return client_prepare(&run->client, &request, &run->ready);
}

/* The interface behind a connected socket, for the environment and its drop counter. */
static void find_interface(struct udp_run *run, int fd)
{
	struct addr local = { .len = sizeof(local.ss) };

	if (*run->opt.device)
		strcpy(run->interface, run->opt.device);
	else if (getsockname(fd, (struct sockaddr *)&local.ss, &local.len) ||
		 addr_interface(&local, run->interface))
		run->interface[0] = '\0';
}

static bool open_sender(struct udp_run *run, unsigned int i)
{
	struct sender *s = &run->senders[i];
	char text[ADDR_TEXT_BYTES], doing[ADDR_TEXT_BYTES + 32];

	addr_set_port(&run->peer, run->ready.ports[i]);
	s->fd = udp_socket_connect(&run->peer, run->opt.device, run->opt.local_socket_bytes);
	if (s->fd < 0) {
		snprintf(doing, sizeof(doing), "cannot send to %s", addr_text(&run->peer, text));
		return fail(run, "data", doing, s->fd);
	}
	s->nonce = run->ready.nonce;
	s->flow_id = i;
	s->message_bytes = run->opt.message_bytes;
	s->limit = run->opt.packets ? run->opt.packets : UINT64_MAX;
	s->worker.cpu = run->opt.local_cpu;
	s->worker.node = -1;
	s->worker.done_fd = run->done_fd;
	return true;
}

static bool open_senders(struct udp_run *run)
{
	unsigned int i;
	int node;

	run->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	run->senders = aligned_alloc(64, run->ready.flows * sizeof(*run->senders));
	if (run->done_fd < 0 || !run->senders)
		return fail(run, "data", "setting up the senders", ENOMEM);
	memset(run->senders, 0, run->ready.flows * sizeof(*run->senders));
	for (i = 0; i < run->ready.flows; i++)
		run->senders[i].fd = -1;
	for (i = 0; i < run->ready.flows; i++)
		if (!open_sender(run, i))
			return false;
	find_interface(run, run->senders[0].fd);
	node = affinity_node_of(run->interface);
	for (i = 0; i < run->ready.flows; i++)
		run->senders[i].worker.node = node;
	run->result.send_socket_bytes = udp_socket_send_bytes(run->senders[0].fd);
	run->result.recv_socket_bytes = run->ready.socket_bytes;
	return true;
}

static void close_senders(struct udp_run *run)
{
	unsigned int i;

	for (i = 0; run->senders && i < run->ready.flows; i++)
		if (run->senders[i].fd >= 0)
			close(run->senders[i].fd);
	free(run->senders);
	if (run->done_fd >= 0)
		close(run->done_fd);
}

static struct result_sent sent_so_far(const struct sender *s)
{
	uint64_t packets = atomic_load_explicit(&s->packets, memory_order_relaxed);

	return (struct result_sent){
		.packets = packets,
		.bytes = packets * s->message_bytes,
		.send_errors = atomic_load_explicit(&s->errors, memory_order_relaxed),
	};
}

static struct result_sent all_sent_so_far(const struct udp_run *run)
{
	struct result_sent sum = { 0 };
	unsigned int i;

	for (i = 0; i < run->ready.flows; i++) {
		struct result_sent s = sent_so_far(&run->senders[i]);

		sum.packets += s.packets;
		sum.bytes += s.bytes;
		sum.send_errors += s.send_errors;
	}
	return sum;
}

static void tick(void *context, int64_t now_ns)
{
	struct udp_run *run = context;
	struct result_sent totals = all_sent_so_far(run);

	interim_row(&run->interim, now_ns, &totals);
}

/* Start all senders and block until the run is over and they have stopped. */
static bool send_all(struct udp_run *run)
{
	struct watch watch = {
		.start_ns = clock_now_ns(),
		.duration_ns = clock_from_seconds(run->opt.seconds),
		.interval_ns = clock_from_seconds(run->opt.interval_s),
		.workers = run->ready.flows,
		.done_fd = run->done_fd,
		.control_fd = run->client.control.fd,
		.tick = tick,
		.context = run,
	};
	enum watch_end end = WATCH_INTERRUPTED;
	struct result_sent totals;
	unsigned int i;
	int ret = 0;

	run->interim = (struct interim){ .out = run->opt.is_json ? NULL : stdout,
		.result = &run->result, .start_ns = watch.start_ns, .last_ns = watch.start_ns,
		.interval_ns = watch.interval_ns };
	for (i = 0; i < run->ready.flows && !ret; i++)
		ret = sender_start(&run->senders[i]);
	watch_raise_priority();
	if (!ret)
		end = watch_run(&watch);
	for (i = 0; i < run->ready.flows; i++)
		atomic_store(&run->senders[i].worker.should_stop, true);
	for (i = 0; i < run->ready.flows; i++)
		worker_join(&run->senders[i].worker);
	watch_restore_priority();
	totals = all_sent_so_far(run);
	interim_end(&run->interim, clock_now_ns(), &totals);
	if (end == WATCH_CONTROL_READABLE)
		client_control_lost(&run->client);
	return ret ? fail(run, "data", "starting a thread", ret) : true;
}

/* What each sender did, into the result and the end message. */
static bool collect_sent(struct udp_run *run, struct protocol_end *end)
{
	unsigned int i;

	for (i = 0; i < run->ready.flows; i++) {
		struct sender *s = &run->senders[i];
		struct result_stream stream = { .flow_id = i, .sent = sent_so_far(s) };

		stream.sent.seconds = 1e-9 * (double)(s->end_ns - s->start_ns);
		stream.received.jitter_ms = 0;
		end->sent[i] = stream.sent;
		if (result_add_stream(&run->result, &stream))
			return fail(run, "data", "collecting results", ENOMEM);
		if (s->worker.place_error)
			fail(run, "data", "cannot use that local CPU", s->worker.place_error);
		if (s->fatal_error)
			fail(run, "data", "sending", s->fatal_error);
		else if (!stream.sent.packets && stream.sent.send_errors)
			fail(run, "data", "no packet could be sent", atomic_load(&s->last_error));
	}
	end->flows = run->ready.flows;
	end->send_socket_bytes = run->result.send_socket_bytes;
	end->queue_drops = env_tx_dropped(run->interface) - run->dropped_at_start;
	return true;
}

/* Join the server's counts to ours. */
static void account(struct udp_run *run, const struct protocol_end *end,
		    const struct protocol_result *counts)
{
	uint64_t socket_drops = 0;
	size_t i;

	for (i = 0; counts && i < run->result.n_streams; i++) {
		account_stream(&run->result.streams[i], &counts->counts[i],
			       run->opt.message_bytes >= WIRE_HEADER_BYTES);
		socket_drops += counts->counts[i].socket_drops;
	}
	account_sum(&run->result, socket_drops, end->queue_drops);
	if (counts && run->result.sent.packets && !run->result.received.packets && !socket_drops)
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "data",
				 "control ok, data blocked: none of %llu packets arrived",
				 (unsigned long long)run->result.sent.packets);
}

static void run_test(struct udp_run *run)
{
	static struct protocol_end end;
	static struct protocol_result counts;
	bool has_counts = false;

	if (affinity_check(run->opt.local_cpu)) {
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "client",
				 "no CPU %ld at this end", run->opt.local_cpu);
		return;
	}
	if (!(run->opt.is_send_only ? prepare_alone(run) : prepare_with_server(run)))
		return;
	if (!open_senders(run))
		return;
	run->dropped_at_start = env_tx_dropped(run->interface);
	run->result.environment = env_collect(run->interface);
	if (!send_all(run) || !collect_sent(run, &end))
		return;
	if (run->client.control.fd >= 0)
		has_counts = client_finish(&run->client, &end, &counts);
	account(run, &end, has_counts ? &counts : NULL);
}

int cmd_udp_stream(int argc, char **argv)
{
	static struct udp_run run;
	int ret = options_parse(&run.opt, &udp_stream, argc, argv);

	if (ret >= 0)
		return ret;
	run.done_fd = -1;
	run.client = (struct client){ .opt = &run.opt, .result = &run.result, .control.fd = -1 };
	finish_start(&run.result, &run.opt, udp_stream.name, argc, argv);
	worker_init();
	if (interrupt_init())
		fail(&run, "data", "setting up signals", errno);
	else
		run_test(&run);
	close_senders(&run);
	channel_close(&run.client.control);
	ret = finish_report(&run.result, &run.opt, report_text_udp);
	result_free(&run.result);
	return ret;
}
