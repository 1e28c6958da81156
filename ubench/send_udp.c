// SPDX-License-Identifier: GPL-2.0-or-later
/* The loops of UDP senders: a system call and a sequence number per packet, nothing else in their way. */
#include "send_udp.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "sender.h"
#include "wire.h"

/* Every so many packets one carries its send time (a power of two). */
#define STAMP_EVERY 64
/* A sleep comes back about so late; the rest of a gap is spent reading the clock. */
#define SLEEP_LATE_NS 80000
/* From so much delay on, a paced sender gives up its old schedule. */
#define LATE_NS (10 * NSEC_PER_MSEC)

int send_udp_enable_gso(int fd, unsigned int message_bytes)
{
	int size = (int)message_bytes;

	return setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)) ? -errno : 0;
}

int send_udp_choose(struct sender *s, const struct send_udp_way *way)
{
	int ret;

	s->per_call = 1;
	s->pps = way->pps;
	s->loop = way->pps > 0 ? send_udp_paced : send_udp_each;
	if (way->batch > 1) {
		s->per_call = (unsigned int)way->batch;
		s->loop = send_udp_batch;
	}
	if (way->gso > 1) {
		s->per_call = (unsigned int)way->gso;
		s->loop = send_udp_gso;
		ret = send_udp_enable_gso(s->fd, (unsigned int)s->message_bytes);
		if (ret)
			return ret;
	}
	if (!way->has_zerocopy)
		return 0;
	s->zerocopy.is_on = true;
	s->loop = send_udp_zerocopy;
	return zerocopy_enable(s->fd);
}

static bool is_sequenced(const struct sender *s)
{
	return s->message_bytes >= WIRE_HEADER_BYTES;
}

/*
 * As send(). The C library's own would prepare for the thread's cancellation
 * around each call, which takes more instructions than the rest of the loop
 * and which nobody here makes use of.
 */
static ssize_t send_now(int fd, const void *data, size_t len, int flags)
{
	return syscall(SYS_sendto, fd, data, len, flags, NULL, 0);
}

/* For a buffer that carries every packet. */
static inline void stamp(char *data, uint64_t sequence)
{
	wire_set_sequence(data, sequence);
	if (sequence % STAMP_EVERY == 0)
		wire_set_time(data, (uint64_t)clock_now_ns());
	else if (sequence % STAMP_EVERY == 1)
		wire_set_time(data, 0);
}

void send_udp_each(struct sender *s, char *data)
{
	const bool has_number = is_sequenced(s);
	const size_t len = s->message_bytes;
	const int fd = s->fd;
	uint64_t sent = 0;

	wire_clear_time(data, len);
	while (sender_goes_on(s, sent)) {
		if (has_number)
			stamp(data, sent);
		if (send_now(fd, data, len, 0) >= 0)
			sender_count(s, ++sent);
		else if (!sender_survives(s, errno, 1))
			break;
	}
}

/* Until at_ns, in good time for it; early when the sender is to halt. Returns the time. */
static int64_t wait_until(const struct sender *s, int64_t at_ns)
{
	int64_t now_ns = clock_now_ns();

	while (now_ns < at_ns && !atomic_load_explicit(&s->should_halt, memory_order_relaxed)) {
		if (at_ns - now_ns > SLEEP_LATE_NS) {
			struct timespec t = clock_left(at_ns - SLEEP_LATE_NS);

			nanosleep(&t, NULL);
		}
		now_ns = clock_now_ns();
	}
	return now_ns;
}

void send_udp_paced(struct sender *s, char *data)
{
	const bool has_number = is_sequenced(s);
	const double gap_ns = 1e9 / s->pps;
	int64_t start_ns = clock_now_ns(), last_ns = 0, now_ns;
	uint64_t sent = 0, turn = 0;

	/* Neither a failed send nor a long delay is made up for by a burst. */
	for (; sender_goes_on(s, sent); turn++) {
		int64_t at_ns = start_ns + (int64_t)((double)turn * gap_ns);

		now_ns = wait_until(s, at_ns);
		if (!sender_goes_on(s, sent))
			break;
		if (now_ns - at_ns > LATE_NS)
			start_ns += now_ns - at_ns;
		if (has_number) {
			wire_set_sequence(data, sent);
			wire_set_time(data, (uint64_t)now_ns);
		}
		if (send_now(s->fd, data, s->message_bytes, 0) < 0) {
			if (!sender_survives(s, errno, 1))
				break;
			continue;
		}
		sender_count(s, ++sent);
		if (last_ns)
			hist_record(&s->gaps_ns, (uint64_t)(now_ns - last_ns));
		last_ns = now_ns;
	}
}

/* Numbers for count packets side by side; the first carries its time. */
static void stamp_many(const struct sender *s, char *data, uint64_t sequence, unsigned int count)
{
	const size_t step = s->message_bytes;
	const uint64_t end = sequence + count;

	if (!is_sequenced(s))
		return;
	wire_set_time(data, (uint64_t)clock_now_ns());
	for (; sequence < end; sequence++, data += step)
		wire_set_sequence(data, sequence);
}

static unsigned int next_count(const struct sender *s, uint64_t sent)
{
	return s->limit - sent < s->per_call ? (unsigned int)(s->limit - sent) : s->per_call;
}

void send_udp_batch(struct sender *s, char *data)
{
	struct mmsghdr headers[SENDER_MAX_BATCH] = { 0 };
	struct iovec iov[SENDER_MAX_BATCH];
	uint64_t sent = 0;
	unsigned int i;
	int n;

	for (i = 0; i < s->per_call; i++) {
		iov[i] = (struct iovec){ data + i * s->message_bytes, s->message_bytes };
		headers[i].msg_hdr.msg_iov = &iov[i];
		headers[i].msg_hdr.msg_iovlen = 1;
	}
	while (sender_goes_on(s, sent)) {
		stamp_many(s, data, sent, next_count(s, sent));
		n = (int)syscall(SYS_sendmmsg, s->fd, headers, next_count(s, sent), 0);
		if (n > 0)
			sender_count(s, sent += (unsigned int)n);
		else if (!sender_survives(s, errno, 1))
			break;
	}
}

void send_udp_gso(struct sender *s, char *data)
{
	uint64_t sent = 0;

	while (sender_goes_on(s, sent)) {
		unsigned int count = next_count(s, sent);

		stamp_many(s, data, sent, count);
		if (send_now(s->fd, data, count * s->message_bytes, 0) >= 0)
			sender_count(s, sent += count);
		else if (!sender_survives(s, errno, count))
			break;
	}
}

/* Wait for the kernel to report something. */
static void await_reports(struct sender *s, int wait_ms)
{
	struct pollfd p = { .fd = s->fd };	/* POLLERR always is waited for */

	poll(&p, 1, wait_ms);
	sender_take_reports(s);
}

void send_udp_zerocopy(struct sender *s, char *data)
{
	const size_t slot_bytes = (size_t)s->per_call * s->message_bytes;
	int64_t end_ns;
	uint64_t sent = 0;

	while (sender_goes_on(s, sent)) {
		unsigned int count = next_count(s, sent);
		int slot = zerocopy_slot(&s->zerocopy);
		char *buffer;

		if (slot < 0) {
			await_reports(s, 10);
			continue;
		}
		buffer = data + (size_t)slot * slot_bytes;
		stamp_many(s, buffer, sent, count);
		if (send_now(s->fd, buffer, count * s->message_bytes, MSG_ZEROCOPY) >= 0) {
			zerocopy_sent(&s->zerocopy);
			sender_count(s, sent += count);
		} else if (!sender_survives(s, errno, count)) {
			break;
		}
	}
	/* The pages are the kernel's until it has said otherwise. */
	for (end_ns = clock_now_ns() + NSEC_PER_SEC; s->zerocopy.held && clock_now_ns() < end_ns;)
		await_reports(s, 10);
}
