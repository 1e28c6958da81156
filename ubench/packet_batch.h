/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packets of one recvmmsg(), single or joined by the kernel (UDP_GRO), one after another. */
#ifndef UBENCH_PACKET_BATCH_H
#define UBENCH_PACKET_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define PACKET_BATCH_MAX 64

struct packet_batch {
	/* Set by packet_batch_alloc(). */
	size_t bytes;		/* of this struct with its buffers */
	unsigned int n_buffers;
	size_t buffer_bytes;
	bool is_joined;

	/* Where packet_batch_next() stands. */
	unsigned int n, i;	/* buffers filled, and in turn */
	size_t done;		/* bytes of that one given out */
	size_t segment;		/* bytes of each packet in it; 0: it is one packet */
	unsigned int most_joined;	/* packets that came in one buffer, so far */

	struct mmsghdr headers[PACKET_BATCH_MAX];
	struct iovec iov[PACKET_BATCH_MAX];
	char control[PACKET_BATCH_MAX][CMSG_SPACE(sizeof(int))];
	char data[];
};

/* For packets of message_bytes, on the thread's NUMA node; NULL when out of memory. */
struct packet_batch *packet_batch_alloc(size_t message_bytes, bool is_joined);
void packet_batch_free(struct packet_batch *b);

/* Block for at least one. 0 or -errno. */
int packet_batch_receive(struct packet_batch *b, int fd);

/* Ask the kernel to join packets at this socket. 0 or -errno (-ENOPROTOOPT: before Linux 5.0). */
int packet_batch_enable_gro(int fd);

/* Move to the next buffer: its packets' size from the kernel's note, if it has joined them. */
void packet_batch_open(struct packet_batch *b);

/* The next packet; false: no more. *len is capped at one byte over a message, which shows a longer one. */
static inline bool packet_batch_next(struct packet_batch *b, const char **data, size_t *len)
{
	size_t left;

	if (b->i < b->n && b->done == b->headers[b->i].msg_len && b->done) {
		b->i++;
		b->done = 0;
	}
	if (b->i >= b->n)
		return false;
	if (!b->done)
		packet_batch_open(b);
	*data = (const char *)b->iov[b->i].iov_base + b->done;
	left = b->headers[b->i].msg_len - b->done;
	*len = b->segment && b->segment < left ? b->segment : left;
	b->done += *len;
	if (!*len) {
		/* An empty datagram. */
		b->i++;
	}
	return true;
}

#endif
