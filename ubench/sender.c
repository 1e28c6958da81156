// SPDX-License-Identifier: GPL-2.0-or-later
/* The sending end of one UDP flow: one send() per packet and nothing else in its way. */
#include "sender.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#include "affinity.h"
#include "clock.h"
#include "wire.h"

/* Every so many packets one carries its send time (a power of two). */
#define STAMP_EVERY 64
#define PAUSE_MIN_NS (50 * 1000L)
#define PAUSE_MAX_NS (1000 * 1000L)
/* A count of packets that cannot be reached ends after so long without a single success. */
#define GIVE_UP_NS (10 * NSEC_PER_SEC)

/* State of a streak of failed sends. */
struct trouble {
	uint64_t packets;	/* sent when the streak began */
	int64_t since_ns;
	long pause_ns;
};

int sender_want_errors(int fd, int family)
{
	int one = 1, ret;

	if (family == AF_INET6)
		ret = setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &one, sizeof(one));
	else
		ret = setsockopt(fd, IPPROTO_IP, IP_RECVERR, &one, sizeof(one));
	return ret ? -errno : 0;
}

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

/*
 * After a failed send: count it and leave the CPU to who must empty the
 * queue, longer with each failure in a row. False: the thread must end.
 */
static bool survive(struct sender *s, struct trouble *t, int error)
{
	uint64_t packets = atomic_load_explicit(&s->packets, memory_order_relaxed);
	struct timespec pause;

	if (error == EINTR)
		return true;
	atomic_fetch_add_explicit(&s->errors, 1, memory_order_relaxed);
	atomic_store_explicit(&s->last_error, error, memory_order_relaxed);
	drain_error_queue(s->fd);
	if (t->packets != packets || !t->pause_ns)
		*t = (struct trouble){ packets, clock_now_ns(), PAUSE_MIN_NS };
	if (!is_passing(error) ||
	    (s->limit != UINT64_MAX && clock_now_ns() - t->since_ns > GIVE_UP_NS)) {
		s->fatal_error = error;
		return false;
	}
	if (error == ECONNREFUSED)
		return true;	/* the peer's report on an earlier packet: no queue is full here */
	pause = (struct timespec){ .tv_nsec = t->pause_ns };
	nanosleep(&pause, NULL);
	t->pause_ns = t->pause_ns * 2 > PAUSE_MAX_NS ? PAUSE_MAX_NS : t->pause_ns * 2;
	return true;
}

static void stamp(char *data, uint64_t sequence)
{
	wire_set_sequence(data, sequence);
	if (sequence % STAMP_EVERY == 0)
		wire_set_time(data, (uint64_t)clock_now_ns());
	else if (sequence % STAMP_EVERY == 1)
		wire_set_time(data, 0);
}

static void send_each(struct sender *s, char *data)
{
	const bool is_sequenced = s->message_bytes >= WIRE_HEADER_BYTES;
	struct trouble trouble = { 0 };
	uint64_t sent = 0;

	while (sent < s->limit &&
	       !atomic_load_explicit(&s->worker.should_stop, memory_order_relaxed)) {
		if (is_sequenced)
			stamp(data, sent);
		if (send(s->fd, data, s->message_bytes, 0) >= 0)
			atomic_store_explicit(&s->packets, ++sent, memory_order_relaxed);
		else if (!survive(s, &trouble, errno))
			break;
	}
}

static void send_flow(struct worker *w)
{
	struct sender *s = (struct sender *)((char *)w - offsetof(struct sender, worker));
	char *data = affinity_alloc(s->message_bytes);

	if (!data) {
		s->fatal_error = ENOMEM;
		return;
	}
	/* The default slack of 50 us would double the shortest pause. */
	prctl(PR_SET_TIMERSLACK, 1000UL);
	wire_prepare(data, s->message_bytes, s->nonce, s->flow_id);
	s->start_ns = clock_now_ns();
	send_each(s, data);
	s->end_ns = clock_now_ns();
	affinity_free(data, s->message_bytes);
}

int sender_start(struct sender *s)
{
	s->worker.body = send_flow;
	return worker_start(&s->worker);
}
