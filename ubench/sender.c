// SPDX-License-Identifier: GPL-2.0-or-later
/* The sending thread of a flow: set-up, failed sends, warm-up; the loops are in send_*.c. */
#include "sender.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include "affinity.h"
#include "clock.h"
#include "socket.h"
#include "wire.h"

#define PAUSE_MIN_NS (50 * 1000L)
#define PAUSE_MAX_NS (1000 * 1000L)
/* A count of packets that cannot be reached ends after so long without a single success. */
#define GIVE_UP_NS (10 * NSEC_PER_SEC)

/* The errno of other reports than zerocopy's has been returned by send() already. */
void sender_take_reports(struct sender *s)
{
	char data[64], control[512];
	struct iovec iov = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr msg;

	for (;;) {
		msg = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control, .msg_controllen = sizeof(control) };
		if (recvmsg(s->fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return;
		if (s->zerocopy.is_on)
			zerocopy_take(&s->zerocopy, &msg);
	}
}

bool sender_survives(struct sender *s, int error, unsigned int count)
{
	uint64_t packets = atomic_load_explicit(&s->packets, memory_order_relaxed);
	struct timespec pause;

	if (error == EINTR)
		return true;
	atomic_fetch_add_explicit(&s->errors, count, memory_order_relaxed);
	atomic_store_explicit(&s->last_error, error, memory_order_relaxed);
	if (error == ENOBUFS)
		atomic_fetch_add_explicit(&s->refused, count, memory_order_relaxed);
	sender_take_reports(s);
	if (s->trouble_packets != packets || !s->pause_ns) {
		s->trouble_packets = packets;
		s->trouble_since_ns = clock_now_ns();
		s->pause_ns = PAUSE_MIN_NS;
	}
	if (!socket_error_is_passing(error) ||
	    (s->limit != UINT64_MAX && clock_now_ns() - s->trouble_since_ns > GIVE_UP_NS)) {
		s->fatal_error = error;
		return false;
	}
	if (error == ECONNREFUSED)
		return true;	/* the peer's report on an earlier packet: no queue is full here */
	pause = (struct timespec){ .tv_nsec = s->pause_ns };
	nanosleep(&pause, NULL);
	s->pause_ns = s->pause_ns * 2 > PAUSE_MAX_NS ? PAUSE_MAX_NS : s->pause_ns * 2;
	return true;
}

static size_t n_messages(const struct sender *s)
{
	return (size_t)s->per_call * (s->zerocopy.is_on ? ZEROCOPY_SLOTS : 1);
}

static void prepare(struct sender *s, char *data, uint32_t flow_id)
{
	size_t i;

	for (i = 0; i < n_messages(s); i++)
		wire_prepare(data + i * s->message_bytes, s->message_bytes, s->nonce, flow_id);
}

/* Packets that nobody counts, until the owner ends it. Leaves every counter at 0. */
static void warm_up(struct sender *s, char *data)
{
	uint64_t limit = s->limit;

	s->limit = UINT64_MAX;
	prepare(s, data, s->flow_id | WIRE_WARMUP);
	s->loop(s, data);
	s->limit = limit;
	s->warmup_bytes = sender_bytes(s);
	hist_init(&s->gaps_ns);
	s->zerocopy.sends = s->zerocopy.notified = s->zerocopy.copied = 0;
	atomic_store(&s->errors, 0);
	atomic_store(&s->refused, 0);
	atomic_store(&s->bytes, 0);
	atomic_store(&s->last_error, 0);
	sender_count(s, 0);
	/* The owner sets should_stop before should_halt: no order to end is lost here. */
	atomic_exchange(&s->should_halt, false);
	if (atomic_load(&s->worker.should_stop))
		atomic_store(&s->should_halt, true);
}

static void send_flow(struct worker *w)
{
	struct sender *s = (struct sender *)((char *)w - offsetof(struct sender, worker));
	char *data = affinity_alloc(n_messages(s) * s->message_bytes);

	if (!data) {
		s->fatal_error = ENOMEM;
		return;
	}
	/* The default slack of 50 us would double the shortest pause. */
	prctl(PR_SET_TIMERSLACK, 1000UL);
	hist_init(&s->gaps_ns);
	if (s->has_warmup)
		warm_up(s, data);
	prepare(s, data, s->flow_id);
	s->start_ns = clock_now_ns();
	if (!s->fatal_error)
		s->loop(s, data);
	s->end_ns = clock_now_ns();
	affinity_free(data, n_messages(s) * s->message_bytes);
}

/* A datagram send that blocks so long fails with EAGAIN, and may be what makes a count unreachable. */
static int limit_block(const struct sender *s)
{
	const struct timeval limit = { .tv_sec = GIVE_UP_NS / 2 / NSEC_PER_SEC };

	if (s->limit == UINT64_MAX || s->is_byte_stream)
		return 0;
	return setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) ? -errno : 0;
}

int sender_start(struct sender *s)
{
	int ret = limit_block(s);

	if (ret)
		return ret;
	s->worker.body = send_flow;
	return worker_start(&s->worker);
}

void sender_end_warmup(struct sender *s)
{
	atomic_store(&s->should_halt, true);
	worker_kick(&s->worker);
}

void sender_halt(struct sender *s)
{
	atomic_store(&s->worker.should_stop, true);
	atomic_store(&s->should_halt, true);
}

struct result_sent sender_sent(const struct sender *s)
{
	return (struct result_sent){
		.packets = atomic_load_explicit(&s->packets, memory_order_relaxed),
		.bytes = sender_bytes(s),
		.send_errors = atomic_load_explicit(&s->errors, memory_order_relaxed),
	};
}

struct result_gaps sender_gaps(const struct sender *s)
{
	return (struct result_gaps){
		.is_known = s->gaps_ns.count > 0,
		.count = s->gaps_ns.count,
		.p50_ns = hist_percentile(&s->gaps_ns, 0.5),
		.p90_ns = hist_percentile(&s->gaps_ns, 0.9),
		.p99_ns = hist_percentile(&s->gaps_ns, 0.99),
		.max_ns = s->gaps_ns.max,
	};
}
