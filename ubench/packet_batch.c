// SPDX-License-Identifier: GPL-2.0-or-later
/* The packets of one recvmmsg(), single or joined by the kernel (UDP_GRO), one after another. */
#include "packet_batch.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>

#include "affinity.h"

/* The kernel joins up to 64 KiB. */
#define JOINED_BYTES 65536
#define JOINED_BUFFERS 8

int packet_batch_enable_gro(int fd)
{
	int one = 1;

	return setsockopt(fd, IPPROTO_UDP, UDP_GRO, &one, sizeof(one)) ? -errno : 0;
}

struct packet_batch *packet_batch_alloc(size_t message_bytes, bool is_joined)
{
	const unsigned int n = is_joined ? JOINED_BUFFERS : PACKET_BATCH_MAX;
	/* One byte more than a message shows a longer one for what it is: not ours. */
	const size_t each = is_joined ? JOINED_BYTES : (message_bytes + 1 + 63) & ~(size_t)63;
	const size_t bytes = sizeof(struct packet_batch) + n * each;
	struct packet_batch *b = affinity_alloc(bytes);
	unsigned int i;

	if (!b)
		return NULL;
	b->bytes = bytes;
	b->n_buffers = n;
	b->buffer_bytes = each;
	b->is_joined = is_joined;
	for (i = 0; i < n; i++) {
		b->iov[i] = (struct iovec){ b->data + i * each, each };
		b->headers[i].msg_hdr.msg_iov = &b->iov[i];
		b->headers[i].msg_hdr.msg_iovlen = 1;
	}
	return b;
}

void packet_batch_free(struct packet_batch *b)
{
	if (b)
		affinity_free(b, b->bytes);
}

int packet_batch_receive(struct packet_batch *b, int fd)
{
	unsigned int i;
	int n;

	for (i = 0; b->is_joined && i < b->n_buffers; i++) {
		b->headers[i].msg_hdr.msg_control = b->control[i];
		b->headers[i].msg_hdr.msg_controllen = sizeof(b->control[i]);
	}
	b->n = b->i = 0;
	b->done = b->segment = 0;
	n = recvmmsg(fd, b->headers, b->n_buffers, MSG_WAITFORONE, NULL);
	if (n < 0)
		return -errno;
	b->n = (unsigned int)n;
	return 0;
}

void packet_batch_open(struct packet_batch *b)
{
	struct msghdr *msg = &b->headers[b->i].msg_hdr;
	const size_t len = b->headers[b->i].msg_len;
	struct cmsghdr *c;
	int size;

	b->segment = 0;
	if (!b->is_joined)
		return;
	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != IPPROTO_UDP || c->cmsg_type != UDP_GRO)
			continue;
		memcpy(&size, CMSG_DATA(c), sizeof(size));
		b->segment = size > 0 ? (size_t)size : 0;
		if (b->segment && (len + b->segment - 1) / b->segment > b->most_joined)
			b->most_joined = (unsigned int)((len + b->segment - 1) / b->segment);
	}
}
