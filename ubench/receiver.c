// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiving end of one UDP flow: a thread on a socket, counting each packet once. */
#include "receiver.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "wire.h"

#define BATCH 64

/* One recvmmsg() worth of buffers, on the thread's NUMA node. */
struct batch {
	struct mmsghdr headers[BATCH];
	struct iovec iov[BATCH];
	char data[];
};

/*
 * Packets that the kernel dropped at this socket. SO_MEMINFO reads the
 * counter that SO_RXQ_OVFL would attach to the next packet received, so it
 * also knows of drops after the last one, and costs nothing per packet.
 */
static uint32_t socket_drops(int fd)
{
	uint32_t info[SK_MEMINFO_VARS] = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &len))
		return 0;
	return info[SK_MEMINFO_DROPS];
}

static size_t buffer_bytes(const struct receiver *r)
{
	/* One byte more than a message shows a longer one for what it is: not ours. */
	return (r->message_bytes + 1 + 63) & ~(size_t)63;
}

static size_t batch_bytes(const struct receiver *r)
{
	return sizeof(struct batch) + BATCH * buffer_bytes(r);
}

static struct batch *batch_alloc(const struct receiver *r)
{
	struct batch *b = affinity_alloc(batch_bytes(r));
	int i;

	if (!b)
		return NULL;
	for (i = 0; i < BATCH; i++) {
		b->iov[i].iov_base = b->data + (size_t)i * buffer_bytes(r);
		b->iov[i].iov_len = buffer_bytes(r);
		b->headers[i].msg_hdr.msg_iov = &b->iov[i];
		b->headers[i].msg_hdr.msg_iovlen = 1;
	}
	return b;
}

/*
 * RFC 3550, 6.4.1: mean deviation of the difference in transit time, with
 * gain 1/16. The two clocks need not agree, only run at the same speed.
 */
static void update_jitter(struct receiver *r, uint64_t send_time_ns, int64_t now_ns)
{
	int64_t transit = now_ns - (int64_t)send_time_ns;

	if (r->has_transit)
		r->jitter_ns += (fabs((double)(transit - r->transit_ns)) - r->jitter_ns) / 16;
	r->transit_ns = transit;
	r->has_transit = true;
}

/* Count one packet. False when out of memory. */
static bool take_sequenced(struct receiver *r, const char *data, size_t len, int64_t now_ns)
{
	struct wire_header h;
	int verdict;

	if (len != r->message_bytes || !wire_parse(data, len, &h) || h.nonce != r->nonce ||
	    (h.flow_id & ~WIRE_WARMUP) != r->flow_id) {
		r->foreign++;
		return true;
	}
	if (h.flow_id & WIRE_WARMUP)
		return true;
	verdict = seq_record(&r->seq, h.sequence);
	if (verdict < 0)
		return false;
	if (verdict == SEQ_NEW && h.send_time_ns)
		update_jitter(r, h.send_time_ns, now_ns);
	return true;
}

static void take_short(struct receiver *r, const char *data, size_t len)
{
	if (len != r->message_bytes || !wire_is_ours_short(data, len, r->nonce))
		r->foreign++;
	else
		r->seq.unique++;
}

static uint64_t arrivals(const struct receiver *r)
{
	return r->seq.unique + r->seq.duplicates;
}

static bool take_batch(struct receiver *r, struct batch *b, int n)
{
	int64_t now_ns = clock_now_ns();
	uint64_t before = arrivals(r);
	int i;

	for (i = 0; i < n; i++) {
		if (!r->is_sequenced)
			take_short(r, b->iov[i].iov_base, b->headers[i].msg_len);
		else if (!take_sequenced(r, b->iov[i].iov_base, b->headers[i].msg_len, now_ns))
			return false;
	}
	if (arrivals(r) == before)
		return true;
	if (!before) {
		r->first_ns = now_ns;
		if (r->has_warmup)
			r->socket_drops_at_start = socket_drops(r->fd);
	}
	r->last_ns = now_ns;
	atomic_store_explicit(&r->unique, r->seq.unique, memory_order_relaxed);
	atomic_store_explicit(&r->last_arrival_ns, now_ns, memory_order_relaxed);
	return true;
}

static void receive(struct worker *w)
{
	struct receiver *r = (struct receiver *)((char *)w - offsetof(struct receiver, worker));
	struct batch *b = batch_alloc(r);
	int n;

	if (!b) {
		r->error = -ENOMEM;
		return;
	}
	while (!atomic_load_explicit(&w->should_stop, memory_order_relaxed) &&
	       r->seq.unique < atomic_load_explicit(&r->expected, memory_order_relaxed)) {
		n = recvmmsg(r->fd, b->headers, BATCH, MSG_WAITFORONE, NULL);
		if (n > 0 && !take_batch(r, b, n)) {
			r->error = -ENOMEM;
			break;
		}
		if (n < 0 && errno != EINTR && errno != EAGAIN && errno != ECONNREFUSED) {
			r->error = -errno;
			break;
		}
	}
	affinity_free(b, batch_bytes(r));
}

int receiver_start(struct receiver *r)
{
	int ret = seq_init(&r->seq);

	r->worker.body = receive;
	r->worker.done_fd = -1;
	r->socket_drops_at_start = socket_drops(r->fd);
	atomic_store(&r->expected, UINT64_MAX);
	if (!ret)
		ret = worker_start(&r->worker);
	if (ret)
		receiver_abort(r);
	return ret;
}

/* Until the thread has all it expects, or nothing has come for quiet_ns. */
static void drain(struct receiver *r, int64_t quiet_ns, int64_t max_ns)
{
	const struct timespec pause = { .tv_nsec = NSEC_PER_MSEC };
	int64_t start_ns = clock_now_ns(), now_ns = start_ns;

	while (!atomic_load(&r->worker.is_done) && now_ns - start_ns < max_ns) {
		int64_t last_ns = atomic_load_explicit(&r->last_arrival_ns, memory_order_relaxed);

		if (now_ns - (last_ns > start_ns ? last_ns : start_ns) > quiet_ns ||
		    atomic_load_explicit(&r->unique, memory_order_relaxed) >= r->expected)
			break;
		nanosleep(&pause, NULL);
		now_ns = clock_now_ns();
	}
}

uint64_t receiver_socket_drops(const struct receiver *r)
{
	return (uint32_t)(socket_drops(r->fd) - r->socket_drops_at_start);
}

int receiver_finish(struct receiver *r, uint64_t sent, int64_t quiet_ns, int64_t max_ns,
		    struct receiver_counts *counts)
{
	atomic_store(&r->expected, sent);
	drain(r, quiet_ns, max_ns);
	worker_stop(&r->worker);
	*counts = (struct receiver_counts){
		.socket_drops = receiver_socket_drops(r),
		.span_ns = r->last_ns - r->first_ns,
		.jitter_ns = r->has_transit ? (int64_t)r->jitter_ns : -1,
	};
	if (r->is_sequenced) {
		seq_finish(&r->seq, sent);
	} else if (r->seq.unique > sent) {
		r->seq.implausible = r->seq.unique - sent;
		r->seq.unique = sent;
	}
	counts->packets = r->seq.unique;
	counts->bytes = r->seq.unique * r->message_bytes;
	counts->duplicates = r->seq.duplicates;
	counts->out_of_order = r->seq.late;
	counts->foreign = r->foreign + r->seq.implausible;
	receiver_abort(r);
	return r->error ? r->error : r->worker.place_error;
}

void receiver_abort(struct receiver *r)
{
	worker_stop(&r->worker);
	seq_free(&r->seq);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}
