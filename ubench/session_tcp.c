// SPDX-License-Identifier: GPL-2.0-or-later
/* TCP_STREAM at the server: one connection per flow. */
#include "session_test.h"

#include <errno.h>
#include <sys/socket.h>

#include "addr.h"
#include "clock.h"
#include "protocol.h"
#include "receiver.h"
#include "report_text.h"
#include "socket.h"
#include "tcp_receiver.h"
#include "tcp_socket.h"

/* A full socket buffer on a slow link takes its time to empty. */
#define DRAIN_NS (10 * NSEC_PER_SEC)

static struct tcp_receiver receivers[OPTIONS_MAX_FLOWS];
static unsigned int n_receivers;	/* started */

static enum account_kind kind(const struct protocol_run *run)
{
	(void)run;
	return ACCOUNT_BYTES;
}

static int open_receiver(const struct protocol_run *run, const struct addr *base, unsigned int i,
			 struct protocol_ready *ready)
{
	struct addr local = *base;
	struct tcp_receiver *r = &receivers[i];
	int ret;

	addr_set_port(&local, run->data_port ? (uint16_t)(run->data_port + i) : 0);
	r->listen_fd = tcp_socket_listen(&local, run->socket_bytes);
	if (r->listen_fd < 0)
		return r->listen_fd;
	if (getsockname(r->listen_fd, (struct sockaddr *)&local.ss, &local.len))
		return -errno;
	ready->ports[i] = addr_port(&local);
	ready->socket_bytes = socket_recv_bytes(r->listen_fd);
	r->nonce = ready->nonce;
	r->flow_id = i;
	r->worker.cpu = run->cpu;
	r->worker.node = -1;
	ret = tcp_receiver_start(r);
	n_receivers += !ret;
	return ret;
}

static int tcp_open(const struct protocol_run *run, const struct addr *base,
		    struct protocol_ready *ready)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < run->flows && !ret; i++)
		ret = open_receiver(run, base, i, ready);
	return ret;
}

static int tcp_finish(const struct protocol_end *end, struct protocol_result *result)
{
	int64_t deadline_ns = clock_now_ns() + DRAIN_NS;
	unsigned int i;

	for (i = 0; i < n_receivers; i++) {
		struct receiver_counts *c = &result->counts[i];

		tcp_receiver_finish(&receivers[i], deadline_ns - clock_now_ns(), c);
		if (!end->warmup_bytes[i])
			continue;
		/* In a byte stream the warm-up is the first so many bytes, at no known time. */
		c->bytes -= c->bytes < end->warmup_bytes[i] ? c->bytes : end->warmup_bytes[i];
		c->span_ns = 0;
	}
	return 0;
}

static void tcp_abort(void)
{
	unsigned int i;

	for (i = 0; i < n_receivers; i++)
		tcp_receiver_abort(&receivers[i]);
}

const struct session_test session_tcp = {
	.name = "TCP_STREAM",
	.kind = kind,
	.open = tcp_open,
	.finish = tcp_finish,
	.abort = tcp_abort,
	.report = report_text_tcp,
};
