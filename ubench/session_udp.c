// SPDX-License-Identifier: GPL-2.0-or-later
/* UDP_STREAM at the server: one receiver per flow. */
#include "session_test.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addr.h"
#include "clock.h"
#include "packet_batch.h"
#include "protocol.h"
#include "receiver.h"
#include "report_text.h"
#include "send_udp.h"
#include "sender.h"
#include "session_flows.h"
#include "socket.h"
#include "wire.h"

/* How long packets may be under way after the sender's last word. */
#define QUIET_NS (300 * NSEC_PER_MSEC)
#define DRAIN_NS (10 * NSEC_PER_SEC)

static struct receiver receivers[OPTIONS_MAX_FLOWS];
static unsigned int n_receivers;	/* started */

static enum account_kind kind(const struct protocol_run *run)
{
	return run->message_bytes < WIRE_HEADER_BYTES ? ACCOUNT_SHORT : ACCOUNT_NUMBERED;
}

/* Receive flow i on r->fd. */
static int start_receiver(const struct protocol_run *run, const struct protocol_ready *ready,
			  unsigned int i)
{
	struct receiver *r = &receivers[i];
	int ret;

	r->nonce = ready->nonce;
	r->flow_id = i;
	r->message_bytes = run->message_bytes;
	r->is_sequenced = kind(run) == ACCOUNT_NUMBERED;
	r->has_warmup = run->has_warmup;
	r->is_same_clock = ready->is_same_clock;
	r->has_gro = run->has_gro && !packet_batch_enable_gro(r->fd);
	r->worker.cpu = run->cpu;
	r->worker.node = -1;
	ret = receiver_start(r);
	n_receivers += !ret;
	return ret;
}

static int open_receiver(const struct protocol_run *run, const struct addr *local, unsigned int i,
			 struct protocol_ready *ready)
{
	struct receiver *r = &receivers[i];
	int ret;

	r->fd = socket_bind_udp(local, run->socket_bytes);
	if (r->fd < 0)
		return r->fd;
	ret = session_flows_bound(r->fd, i, ready);
	if (!ret && addr_is_multicast(local))
		ret = socket_join(r->fd, local, &run->local);
	if (!ret)
		ret = start_receiver(run, ready, i);
	ready->has_gro = r->has_gro;
	return ret;
}

static int udp_adopt(const struct protocol_run *run, const struct protocol_ready *ready,
		     unsigned int i, int fd)
{
	receivers[i] = (struct receiver){ .fd = fd };
	return start_receiver(run, ready, i);
}

/* The flow's socket in both directions, as a stateful filter on the way expects it. */
static int udp_send_back(const struct protocol_run *run, unsigned int i, const struct addr *peer,
			 struct sender *s)
{
	const struct send_udp_way way = { .batch = run->batch, .gso = run->gso, .pps = run->pps };
	int ret;

	s->fd = dup(receivers[i].fd);
	if (s->fd < 0)
		return -errno;
	ret = socket_want_errors(s->fd, peer->ss.ss_family);
	if (!ret && connect(s->fd, (const struct sockaddr *)&peer->ss, peer->len))
		ret = -errno;
	return ret ? ret : send_udp_choose(s, &way);
}

static int udp_open(const struct protocol_run *run, const struct addr *base,
		    struct protocol_ready *ready)
{
	return session_flows_open(run, base, ready, open_receiver);
}

static void udp_progress(struct protocol_progress *progress)
{
	unsigned int i;

	*progress = (struct protocol_progress){ 0 };
	for (i = 0; i < n_receivers; i++) {
		progress->packets +=
			atomic_load_explicit(&receivers[i].unique, memory_order_relaxed);
		progress->socket_drops += receiver_socket_drops(&receivers[i]);
		progress->bytes += atomic_load_explicit(&receivers[i].unique, memory_order_relaxed) *
				   receivers[i].message_bytes;
	}
}

static int udp_finish(const struct protocol_end *end, struct protocol_result *result)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n_receivers; i++) {
		int error = receiver_finish(&receivers[i], end->sent[i].packets, QUIET_NS, DRAIN_NS,
					    &result->counts[i]);

		ret = ret ? ret : error;
	}
	return ret;
}

static void udp_abort(void)
{
	unsigned int i;

	for (i = 0; i < n_receivers; i++)
		receiver_abort(&receivers[i]);
	n_receivers = 0;
}

const struct session_test session_udp = {
	.name = "UDP_STREAM",
	.kind = kind,
	.open = udp_open,
	.adopt = udp_adopt,
	.send_back = udp_send_back,
	.progress = udp_progress,
	.finish = udp_finish,
	.abort = udp_abort,
	.report = report_text_udp,
};
