// SPDX-License-Identifier: GPL-2.0-or-later
/* TCP_STREAM at the server: one connection per flow. */
#include "session_test.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "addr.h"
#include "clock.h"
#include "protocol.h"
#include "receiver.h"
#include "report_text.h"
#include "send_tcp.h"
#include "sender.h"
#include "session_flows.h"
#include "tcp_receiver.h"
#include "tcp_socket.h"

/* A full socket buffer on a slow link takes its time to empty. */
#define DRAIN_NS (10 * NSEC_PER_SEC)
/* The client has its connection when it says that the server may send. */
#define ACCEPT_NS (2 * NSEC_PER_SEC)

static struct tcp_receiver receivers[OPTIONS_MAX_FLOWS];
static unsigned int n_receivers;	/* started */

static enum account_kind kind(const struct protocol_run *run)
{
	(void)run;
	return ACCOUNT_BYTES;
}

static int start_receiver(const struct protocol_run *run, const struct protocol_ready *ready,
			  unsigned int i)
{
	struct tcp_receiver *r = &receivers[i];
	int ret;

	r->nonce = ready->nonce;
	r->flow_id = i;
	r->worker.cpu = run->cpu;
	r->worker.node = -1;
	ret = tcp_receiver_start(r);
	n_receivers += !ret;
	return ret;
}

static int open_receiver(const struct protocol_run *run, const struct addr *local, unsigned int i,
			 struct protocol_ready *ready)
{
	struct tcp_receiver *r = &receivers[i];
	int ret;

	r->fd = -1;
	r->listen_fd = tcp_socket_listen(local, run->socket_bytes);
	if (r->listen_fd < 0)
		return r->listen_fd;
	ret = session_flows_bound(r->listen_fd, i, ready);
	return ret ? ret : start_receiver(run, ready, i);
}

static int tcp_adopt(const struct protocol_run *run, const struct protocol_ready *ready,
		     unsigned int i, int fd)
{
	receivers[i] = (struct tcp_receiver){ .listen_fd = -1, .fd = fd };
	return start_receiver(run, ready, i);
}

/* The flow's connection in both directions, once the receiving thread has accepted it. */
static int tcp_send_back(const struct protocol_run *run, unsigned int i, const struct addr *peer,
			 struct sender *s)
{
	const struct timespec pause = { .tv_nsec = NSEC_PER_MSEC };
	const int64_t deadline_ns = clock_now_ns() + ACCEPT_NS;

	(void)run;
	(void)peer;
	while (!atomic_load(&receivers[i].is_connected) && clock_now_ns() < deadline_ns)
		nanosleep(&pause, NULL);
	if (!atomic_load(&receivers[i].is_connected))
		return -ETIMEDOUT;
	s->per_call = 1;
	s->is_byte_stream = true;
	s->loop = send_tcp_each;
	s->fd = dup(receivers[i].fd);
	return s->fd < 0 ? -errno : 0;
}

static int tcp_open(const struct protocol_run *run, const struct addr *base,
		    struct protocol_ready *ready)
{
	return session_flows_open(run, base, ready, open_receiver);
}

static void tcp_progress(struct protocol_progress *progress)
{
	unsigned int i;

	*progress = (struct protocol_progress){ 0 };
	for (i = 0; i < n_receivers; i++)
		progress->bytes += atomic_load_explicit(&receivers[i].bytes, memory_order_relaxed);
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
	n_receivers = 0;
}

const struct session_test session_tcp = {
	.name = "TCP_STREAM",
	.kind = kind,
	.open = tcp_open,
	.adopt = tcp_adopt,
	.send_back = tcp_send_back,
	.progress = tcp_progress,
	.finish = tcp_finish,
	.abort = tcp_abort,
	.report = report_text_tcp,
};
