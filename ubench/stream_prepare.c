// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets up one run of a stream test: the server's answer, the destination, a socket for each flow. */
#include "stream_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd.h"
#include "options.h"
#include "sender.h"
#include "session_test.h"
#include "socket.h"
#include "stream.h"

#define DISCARD_PORT 9

/* The destination of the data: given, or the server as connected. */
static bool find_peer(struct stream_run *run)
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
static bool prepare_alone(struct stream_run *run)
{
	unsigned int i;

	if (!find_peer(run))
		return false;
	if (getrandom(&run->ready.nonce, sizeof(run->ready.nonce), 0) < 0)
		return stream_run_fail(run, "data", "random numbers", errno);
	run->ready.flows = (unsigned int)run->opt->flows;
	for (i = 0; i < run->ready.flows; i++)
		run->ready.ports[i] = run->opt->data_port ? run->opt->data_port : DISCARD_PORT;
	return true;
}

static void fill_request(struct stream_run *run)
{
	const struct options *opt = run->opt;

	run->request = (struct protocol_run){
		.flows = (unsigned int)opt->flows,
		.message_bytes = opt->message_bytes,
		.socket_bytes = opt->remote_socket_bytes,
		.data_port = opt->data_port,
		.cpu = opt->remote_cpu,
		.has_warmup = opt->warmup_s > 0,
		.progress_ms = (unsigned int)(1e3 * opt->interval_s / 4),
		.response_bytes = run->ops->is_request_response ? opt->response_bytes : 0,
		.has_gro = opt->has_gro,
		.is_bidirectional = opt->is_bidirectional,
		.batch = opt->batch, .gso = opt->gso, .pps = opt->pps,
		.family = run->peer.ss.ss_family,
	};
	strcpy(run->request.test, run->ops->test->name);
	strcpy(run->request.host, run->result->host);
	clock_id(run->request.clock_id);
	if (*opt->data_host)
		addr_text(&run->peer, run->request.data_address);
}

static bool prepare_with_server(struct stream_run *run)
{
	if (!client_connect(&run->client) || !find_peer(run))
		return false;
	if (run->opt->n_receivers && !addr_is_multicast(&run->peer)) {
		result_set_error(run->result, UBENCH_EXIT_USAGE, "client",
				 "%s is not a multicast group: it has one receiver",
				 run->opt->data_host);
		return false;
	}
	fill_request(run);
	return client_prepare(&run->client, &run->request, &run->ready) &&
	       group_prepare(&run->group, run->opt, &run->request, &run->ready, run->result);
}

static bool open_sender(struct stream_run *run, unsigned int i)
{
	struct sender *s = &run->sending.senders[i];
	char text[ADDR_TEXT_BYTES], doing[ADDR_TEXT_BYTES + 32];
	int ret;

	s->nonce = run->ready.nonce;
	s->flow_id = i;
	s->message_bytes = run->opt->message_bytes;
	s->limit = run->opt->packets ? run->opt->packets : UINT64_MAX;
	s->has_warmup = run->opt->warmup_s > 0;
	s->worker.cpu = run->opt->local_cpu;
	s->worker.node = -1;
	s->worker.done_fd = run->done_fd;
	addr_set_port(&run->peer, run->ready.ports[i]);
	ret = run->ops->open(s, &run->peer, run->opt);
	if (!ret)
		return true;
	snprintf(doing, sizeof(doing), "cannot send to %s", addr_text(&run->peer, text));
	return stream_run_fail(run, "data", doing, ret);
}

static bool open_senders(struct stream_run *run)
{
	unsigned int i;
	int fd;

	run->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (run->done_fd < 0 || sending_alloc(&run->sending, run->ready.flows))
		return stream_run_fail(run, "data", "setting up the senders", ENOMEM);
	for (i = 0; i < run->ready.flows; i++)
		if (!open_sender(run, i))
			return false;
	fd = run->sending.senders[0].fd;
	sending_place(&run->sending, fd, run->opt->device);
	if (!run->ops->is_byte_stream)
		run->result->fragments_per_message = socket_fragments(
			fd, run->peer.ss.ss_family, run->opt->message_bytes);
	run->result->send_socket_bytes = socket_send_bytes(fd);
	run->result->recv_socket_bytes = run->ready.socket_bytes;
	run->result->has_gro = run->ready.has_gro;
	return true;
}

bool stream_prepare(struct stream_run *run)
{
	return (run->opt->is_send_only ? prepare_alone(run) : prepare_with_server(run)) &&
	       open_senders(run);
}

/* Receive flow i where it is sent. Returns the port, or -errno. */
static int adopt(struct stream_run *run, unsigned int i)
{
	struct addr local = { .len = sizeof(local.ss) };
	int fd = dup(run->sending.senders[i].fd), ret;

	if (fd < 0 || getsockname(fd, (struct sockaddr *)&local.ss, &local.len))
		return -errno;
	ret = run->ops->receiving->adopt(&run->request, &run->ready, i, fd);
	return ret ? ret : addr_port(&local);
}

bool stream_begin_reverse(struct stream_run *run)
{
	static struct protocol_begin begin;
	unsigned int i;

	/* Its packets begin with the counted part, and its CPU is the client's choice of the local one. */
	run->request.has_warmup = false;
	run->request.cpu = run->opt->local_cpu;
	begin.flows = run->ready.flows;
	for (i = 0; i < begin.flows; i++) {
		int port = adopt(run, i);

		if (port < 0)
			return stream_run_fail(run, "data", "receiving", port);
		begin.ports[i] = (uint16_t)port;
	}
	run->drops_at_start = drops_now(run->sending.interface);
	return client_send(&run->client, "starting the other direction",
			   protocol_begin_pack(&begin));
}
