// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiving end of one UDP flow: a thread on a socket, counting each packet once. */
#include "receiver.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "packet_batch.h"
#include "socket.h"
#include "wire.h"

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

/*
 * Delay, and jitter as in RFC 3550, 6.4.1: mean deviation of the difference
 * in transit time, with gain 1/16. The two clocks need not agree, only run at
 * the same speed.
 */
static void take_time(struct receiver *r, uint64_t send_time_ns, int64_t now_ns)
{
	int64_t transit = now_ns - (int64_t)send_time_ns;

	if (r->has_transit)
		r->jitter_ns += (fabs((double)(transit - r->transit_ns)) - r->jitter_ns) / 16;
	r->transit_ns = transit;
	r->has_transit = true;
	delay_record(&r->delay, transit);
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
		take_time(r, h.send_time_ns, now_ns);
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

/* What has arrived by now, for who watches. */
static void publish(struct receiver *r, uint64_t before, int64_t now_ns)
{
	if (arrivals(r) == before)
		return;
	if (!before) {
		r->first_ns = now_ns;
		if (r->has_warmup)
			r->socket_drops_at_start = socket_drops(r->fd);
	}
	r->last_ns = now_ns;
	atomic_store_explicit(&r->unique, r->seq.unique, memory_order_relaxed);
	atomic_store_explicit(&r->last_arrival_ns, now_ns, memory_order_relaxed);
}

/* False when out of memory. */
static bool take_batch(struct receiver *r, struct packet_batch *b)
{
	int64_t now_ns = clock_now_ns();
	uint64_t before = arrivals(r);
	const char *data;
	size_t len;

	while (packet_batch_next(b, &data, &len)) {
		if (!r->is_sequenced)
			take_short(r, data, len);
		else if (!take_sequenced(r, data, len, now_ns))
			return false;
	}
	publish(r, before, now_ns);
	return true;
}

static void receive(struct worker *w)
{
	struct receiver *r = (struct receiver *)((char *)w - offsetof(struct receiver, worker));
	struct packet_batch *b = packet_batch_alloc(r->message_bytes, r->has_gro);
	int ret;

	if (!b)
		r->error = -ENOMEM;
	while (!r->error && !atomic_load_explicit(&w->should_stop, memory_order_relaxed) &&
	       r->seq.unique < atomic_load_explicit(&r->expected, memory_order_relaxed)) {
		ret = packet_batch_receive(b, r->fd);
		if (!ret && !take_batch(r, b))
			r->error = -ENOMEM;
		if (ret && ret != -EINTR && !socket_error_is_passing(-ret))
			r->error = ret;
	}
	if (b)
		r->most_joined = b->most_joined;
	packet_batch_free(b);
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
		/* The kernel counts joined packets as one drop. */
		.socket_drops = receiver_socket_drops(r) * (r->most_joined ? r->most_joined : 1),
		.span_ns = r->last_ns - r->first_ns,
		.jitter_ns = r->has_transit ? (int64_t)r->jitter_ns : -1,
		.delay = delay_result(&r->delay, r->is_same_clock),
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
	delay_free(&r->delay);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}
