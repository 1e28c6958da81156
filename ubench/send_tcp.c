// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop of a TCP sender. */
#include "send_tcp.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "sender.h"

void send_tcp_each(struct sender *s, char *data)
{
	uint64_t sent = 0, bytes = 0;
	size_t done = 0;
	ssize_t n;

	while (sender_goes_on(s, sent)) {
		n = send(s->fd, data + done, s->message_bytes - done, MSG_NOSIGNAL);
		if (n < 0) {
			if (!sender_survives(s, errno, 1))
				break;
			continue;
		}
		bytes += (uint64_t)n;
		done += (size_t)n;
		atomic_store_explicit(&s->bytes, bytes, memory_order_relaxed);
		if (done == s->message_bytes) {
			done = 0;
			atomic_store_explicit(&s->packets, ++sent, memory_order_relaxed);
		}
	}
}

uint64_t send_tcp_acked(const struct sender *s)
{
	uint64_t bytes = sender_bytes(s);
	int queued = 0;

	if (ioctl(s->fd, SIOCOUTQ, &queued) || queued < 0 || (uint64_t)queued > bytes)
		return 0;
	return bytes - (uint64_t)queued;
}
