// SPDX-License-Identifier: GPL-2.0-or-later
/* The sending thread of a flow: set-up, failed sends, warm-up; the loops are in send_*.c. */
#include "sender.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#include "affinity.h"
#include "clock.h"
#include "wire.h"

#define PAUSE_MIN_NS (50 * 1000L)
#define PAUSE_MAX_NS (1000 * 1000L)
/* A count of packets that cannot be reached ends after so long without a single success. */
#define GIVE_UP_NS (10 * NSEC_PER_SEC)

/* Errors that say something about this packet or this moment, not about the socket. */
static bool is_passing(int error)
{
	switch (error) {
	case ENOBUFS:
	case ENOMEM:
	case EAGAIN:
	case EMSGSIZE:
	case EPERM:
	case ENETDOWN:
	case ENETUNREACH:
	case EHOSTDOWN:
	case EHOSTUNREACH:
	case ECONNREFUSED:
	case EPROTO:
	case ENOPROTOOPT:
		return true;
	}
	return false;
}

/* Throw away the queued reports: their errno has been returned by send() already. */
static void drain_error_queue(int fd)
{
	char data[64], control[512];
	struct iovec iov = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr msg;

	do {
		msg = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control, .msg_controllen = sizeof(control) };
	} while (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0);
}

bool sender_survives(struct sender *s, int error, unsigned int count)
{
	uint64_t packets = atomic_load_explicit(&s->packets, memory_order_relaxed);
	struct timespec pause;

	if (error == EINTR)
		return true;
	atomic_fetch_add_explicit(&s->errors, count, memory_order_relaxed);
	atomic_store_explicit(&s->last_error, error, memory_order_relaxed);
	drain_error_queue(s->fd);
	if (s->trouble_packets != packets || !s->pause_ns) {
		s->trouble_packets = packets;
		s->trouble_since_ns = clock_now_ns();
		s->pause_ns = PAUSE_MIN_NS;
	}
	if (!is_passing(error) ||
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

static void prepare(struct sender *s, char *data, uint32_t flow_id)
{
	unsigned int i;

	for (i = 0; i < s->per_call; i++)
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
	s->warmup_bytes = atomic_load(&s->bytes);
	hist_init(&s->gaps_ns);
	atomic_store(&s->errors, 0);
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
	char *data = affinity_alloc(s->per_call * s->message_bytes);

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
	affinity_free(data, s->per_call * s->message_bytes);
}

int sender_start(struct sender *s)
{
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
