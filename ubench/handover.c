// SPDX-License-Identifier: GPL-2.0-or-later
/* How a new control connection reaches the session whose old one was cut. */
#include "handover.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "channel.h"

int handover_prepare(struct handover_place *place, int *session_fd)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds))
		return -errno;
	place->fd = fds[0];
	*session_fd = fds[1];
	secret_nonce(place->token);
	return 0;
}

const struct handover_place *handover_find(const struct handover_place *places, size_t n,
					   const char *token)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (places[i].pid && !strcmp(places[i].token, token))
			return &places[i];
	return NULL;
}

/* Room for one descriptor, aligned as its header. */
union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header;
};

int handover_send(int fd, const struct channel *ch)
{
	union control control = { 0 };
	struct iovec iov = { (void *)ch, sizeof(*ch) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.bytes,
			      .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &ch->fd, sizeof(int));
	return sendmsg(fd, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int handover_receive(int fd, struct channel *ch)
{
	union control control = { 0 };
	struct channel received;
	struct iovec iov = { &received, sizeof(received) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.bytes,
			      .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c;
	ssize_t n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);

	if (n < 0)
		return -errno;
	c = CMSG_FIRSTHDR(&msg);
	if (n != sizeof(received) || !c || c->cmsg_type != SCM_RIGHTS)
		return -EPROTO;
	channel_close(ch);
	*ch = received;
	memcpy(&ch->fd, CMSG_DATA(c), sizeof(int));
	return 0;
}
