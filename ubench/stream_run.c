// SPDX-License-Identifier: GPL-2.0-or-later
/* One run of a stream test: asks the server, sends, and asks the server what became of it. */
#include "stream.h"

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
#include "cpu.h"
#include "env.h"
#include "interim.h"
#include "options.h"
#include "result.h"
#include "sender.h"
#include "socket.h"
#include "watch.h"
#include "wire.h"

#define DISCARD_PORT 9

struct run {
	const struct stream_ops *ops;
	const struct options *opt;
	struct ubench_result *result;
	struct client client;
	struct protocol_ready ready;
	struct addr peer;		/* of the data */
	char interface[IF_NAMESIZE];	/* that the data leaves by, or "" */
	struct sender *senders;		/* ready.flows of them */
	int done_fd;
	unsigned long long dropped_at_start;
	struct result_cpu cpu_at_start;
	struct interim interim;
	struct protocol_progress arrived;	/* as last told by the server */
	bool has_arrived;
};

static bool fail(struct run *run, const char *where, const char *doing, int error)
{
	result_set_error(run->result, UBENCH_EXIT_FAILED, where, "%s: %s", doing,
			 strerror(error < 0 ? -error : error));
	return false;
}

/* The destination of the data: given, or the server as connected. */
static bool find_peer(struct run *run)
{
	const char *host = *run->opt->data_host ? run->opt->data_host : run->opt->host;
	const char *why;

	if (!run->opt->is_send_only && !*run->opt->data_host) {
		run->peer = run->client.peer;
		return true;
	}
	if (addr_resolve(host, run->opt->device, DISCARD_PORT, run->opt->family, &run->peer, 1,
			 &why) > 0)
		return true;
	result_set_error(run->result, UBENCH_EXIT_FAILED, "data", "cannot resolve host %s: %s",
			 host, why);
	return false;
}

/* Without a server the client makes up what a server would have answered. */
static bool prepare_alone(struct run *run)
{
	unsigned int i;

	if (!find_peer(run))
		return false;
	if (getrandom(&run->ready.nonce, sizeof(run->ready.nonce), 0) < 0)
		return fail(run, "data", "random numbers", errno);
	run->ready.flows = (unsigned int)run->opt->flows;
	for (i = 0; i < run->ready.flows; i++)
		run->ready.ports[i] = run->opt->data_port ? run->opt->data_port : DISCARD_PORT;
	return true;
}

static bool prepare_with_server(struct run *run)
{
	struct protocol_run request = {
		.flows = (unsigned int)run->opt->flows,
		.message_bytes = run->opt->message_bytes,
		.socket_bytes = run->opt->remote_socket_bytes,
		.data_port = run->opt->data_port,
		.cpu = run->opt->remote_cpu,
		.has_warmup = run->opt->warmup_s > 0,
		.progress_ms = (unsigned int)(1e3 * run->opt->interval_s / 4),
		.response_bytes = run->ops->is_request_response ? run->opt->response_bytes : 0,
	};

	if (!client_connect(&run->client) || !find_peer(run))
		return false;
	strcpy(request.test, run->ops->test->name);
	strcpy(request.host, run->result->host);
	request.family = run->peer.ss.ss_family;
	if (*run->opt->data_host)
		addr_text(&run->peer, request.data_address);
	return client_prepare(&run->client, &request, &run->ready);
}

/* The interface behind a connected socket, for the environment and its drop counter. */
static void find_interface(struct run *run, int fd)
{
	struct addr local = { .len = sizeof(local.ss) };

	if (*run->opt->device)
		strcpy(run->interface, run->opt->device);
	else if (getsockname(fd, (struct sockaddr *)&local.ss, &local.len) ||
		 addr_interface(&local, run->interface))
		run->interface[0] = '\0';
}

static bool open_sender(struct run *run, unsigned int i)
{
	struct sender *s = &run->senders[i];
	char text[ADDR_TEXT_BYTES], doing[ADDR_TEXT_BYTES + 32];
	int ret;

	s->nonce = run->ready.nonce;
	s->flow_id = i;
	s->message_bytes = run->opt->message_bytes;
	s->limit = run->opt->packets ? run->opt->packets : UINT64_MAX;
	s->pps = run->opt->pps;
	s->has_warmup = run->opt->warmup_s > 0;
	s->worker.cpu = run->opt->local_cpu;
	s->worker.node = -1;
	s->worker.done_fd = run->done_fd;
	addr_set_port(&run->peer, run->ready.ports[i]);
	ret = run->ops->open(s, &run->peer, run->opt);
	if (!ret)
		return true;
	snprintf(doing, sizeof(doing), "cannot send to %s", addr_text(&run->peer, text));
	return fail(run, "data", doing, ret);
}

static bool open_senders(struct run *run)
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
	if (!run->ops->is_byte_stream)
		run->result->fragments_per_message = socket_fragments(
			run->senders[0].fd, run->peer.ss.ss_family, run->opt->message_bytes);
	run->result->send_socket_bytes = socket_send_bytes(run->senders[0].fd);
	run->result->recv_socket_bytes = run->ready.socket_bytes;
	return true;
}

static void close_senders(struct run *run)
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
	return (struct result_sent){
		.packets = atomic_load_explicit(&s->packets, memory_order_relaxed),
		.bytes = atomic_load_explicit(&s->bytes, memory_order_relaxed),
		.send_errors = atomic_load_explicit(&s->errors, memory_order_relaxed),
	};
}

static struct result_sent progress(const struct run *run)
{
	struct result_sent sum = { 0 };
	unsigned int i;

	for (i = 0; i < run->ready.flows; i++) {
		struct result_sent s = sent_so_far(&run->senders[i]);

		sum.packets += s.packets;
		sum.bytes += run->ops->progress ? run->ops->progress(&run->senders[i]) : s.bytes;
		sum.send_errors += s.send_errors;
	}
	return sum;
}

static void tick(void *context, int64_t now_ns)
{
	struct run *run = context;
	struct result_sent totals = progress(run);

	interim_row(&run->interim, now_ns, &totals, run->has_arrived ? &run->arrived.packets : NULL);
}

static bool hear(void *context)
{
	struct run *run = context;

	run->has_arrived = client_progress(&run->client, &run->arrived);
	return run->has_arrived;
}

/* The watch of this run's counted part. */
static struct watch make_watch(struct run *run)
{
	return (struct watch){
		.start_ns = clock_now_ns(),
		.duration_ns = clock_from_seconds(run->opt->seconds),
		.interval_ns = clock_from_seconds(run->opt->interval_s),
		.workers = run->ready.flows,
		.done_fd = run->done_fd,
		.control_fd = run->client.control.fd,
		.control = hear,
		.tick = tick,
		.context = run,
	};
}

/* Let the senders send what nobody counts. Returns what ended it. */
static enum watch_end warm_up(struct run *run)
{
	struct watch watch = make_watch(run);
	enum watch_end end;
	unsigned int i;

	watch.duration_ns = clock_from_seconds(run->opt->warmup_s);
	watch.interval_ns = 0;
	end = watch_run(&watch);
	for (i = 0; i < run->ready.flows; i++)
		sender_end_warmup(&run->senders[i]);
	return end;
}

/* The counted part, with its interim results. */
static enum watch_end watch_senders(struct run *run)
{
	struct watch watch;
	struct result_sent totals;
	enum watch_end end;

	run->cpu_at_start = cpu_now();
	run->dropped_at_start = env_tx_dropped(run->interface);
	watch = make_watch(run);
	run->interim = (struct interim){ .out = run->opt->is_json ? NULL : stdout,
		.result = run->result, .start_ns = watch.start_ns, .last_ns = watch.start_ns,
		.interval_ns = watch.interval_ns };
	if (run->ops->progress)
		run->interim.last.bytes = progress(run).bytes;
	end = watch_run(&watch);
	totals = progress(run);
	interim_end(&run->interim, clock_now_ns(), &totals);
	return end;
}

static void stop_senders(struct run *run)
{
	unsigned int i;

	for (i = 0; i < run->ready.flows; i++)
		sender_halt(&run->senders[i]);
	for (i = 0; i < run->ready.flows; i++)
		worker_join(&run->senders[i].worker);
}

/* Start all senders and block until the run is over and they have stopped. */
static bool send_all(struct run *run)
{
	enum watch_end end = WATCH_TIME_IS_UP;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < run->ready.flows && !ret; i++)
		ret = sender_start(&run->senders[i]);
	watch_raise_priority();
	if (!ret && run->opt->warmup_s > 0)
		end = warm_up(run);
	if (!ret && end == WATCH_TIME_IS_UP)
		end = watch_senders(run);
	stop_senders(run);
	watch_restore_priority();
	run->result->local_cpu = cpu_since(&run->cpu_at_start);
	for (i = 0; run->ops->shut && i < run->ready.flows; i++)
		run->ops->shut(&run->senders[i]);
	return ret ? fail(run, "data", "starting a thread", ret) : true;
}

/* What each sender did, into the result and the end message. */
static bool collect_sent(struct run *run, struct protocol_end *end)
{
	unsigned int i;

	for (i = 0; i < run->ready.flows; i++) {
		struct sender *s = &run->senders[i];
		struct result_stream stream = { .flow_id = i, .sent = sent_so_far(s) };

		if (run->ops->is_request_response)
			stream.round_trips = sender_gaps(s);
		else
			stream.gaps = sender_gaps(s);
		stream.sent.seconds = 1e-9 * (double)(s->end_ns - s->start_ns);
		end->sent[i] = stream.sent;
		end->warmup_bytes[i] = s->warmup_bytes;
		if (result_add_stream(run->result, &stream))
			return fail(run, "data", "collecting results", ENOMEM);
		if (s->worker.place_error)
			fail(run, "data", "cannot use that local CPU", s->worker.place_error);
		if (s->fatal_error)
			fail(run, "data", "sending", s->fatal_error);
		else if (!stream.sent.packets && stream.sent.send_errors)
			fail(run, "data", "no packet could be sent", atomic_load(&s->last_error));
	}
	end->flows = run->ready.flows;
	end->send_socket_bytes = run->result->send_socket_bytes;
	end->queue_drops = env_tx_dropped(run->interface) - run->dropped_at_start;
	return true;
}

/* Join the server's counts to ours. */
static void account(struct run *run, const struct protocol_end *end,
		    const struct protocol_result *counts)
{
	const enum account_kind kind = run->ops->is_byte_stream ? ACCOUNT_BYTES :
		run->opt->message_bytes < WIRE_HEADER_BYTES ? ACCOUNT_SHORT : ACCOUNT_NUMBERED;
	uint64_t socket_drops = 0;
	size_t i;

	if (counts)
		run->result->remote_cpu = counts->cpu;
	for (i = 0; counts && i < run->result->n_streams; i++) {
		account_stream(&run->result->streams[i], &counts->counts[i], kind);
		socket_drops += counts->counts[i].socket_drops;
	}
	account_sum(run->result, socket_drops, end->queue_drops);
	if (counts && run->result->sent.packets && !run->result->received.bytes && !socket_drops)
		result_set_error(run->result, UBENCH_EXIT_FAILED, "data",
				 "control ok, data blocked: none of %llu packets arrived",
				 (unsigned long long)run->result->sent.packets);
}

static void run_steps(struct run *run)
{
	static struct protocol_end end;
	static struct protocol_result counts;
	bool has_counts = false;

	if (affinity_check(run->opt->local_cpu)) {
		result_set_error(run->result, UBENCH_EXIT_FAILED, "client",
				 "no CPU %ld at this end", run->opt->local_cpu);
		return;
	}
	if (!(run->opt->is_send_only ? prepare_alone(run) : prepare_with_server(run)))
		return;
	if (!open_senders(run))
		return;
	run->result->environment = env_collect(run->interface);
	if (!send_all(run) || !collect_sent(run, &end))
		return;
	if (run->client.control.fd >= 0)
		has_counts = client_finish(&run->client, &end, &counts);
	account(run, &end, has_counts ? &counts : NULL);
}

void stream_run(const struct stream_ops *ops, const struct options *opt, struct ubench_result *r)
{
	static struct run run;

	run = (struct run){ .ops = ops, .opt = opt, .result = r, .done_fd = -1,
		.client = { .opt = opt, .result = r, .control.fd = -1 } };
	run_steps(&run);
	close_senders(&run);
	channel_close(&run.client.control);
}
