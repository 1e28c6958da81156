// SPDX-License-Identifier: GPL-2.0-or-later
/* Data connections of a TCP test at both ends. */
#include "tcp_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "addr.h"
#include "clock.h"
#include "socket.h"
#include "wire.h"

#define CONNECT_MS 5000

/* Name the flow: the header must fit the empty buffer of a new connection. */
static int send_header(int fd, uint64_t nonce, uint32_t flow_id)
{
	char header[WIRE_HEADER_BYTES];

	wire_prepare(header, sizeof(header), nonce, flow_id);
	return send(fd, header, sizeof(header), MSG_NOSIGNAL) == (ssize_t)sizeof(header) ?
		       0 : -ECONNABORTED;
}

static int finish_connect(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int error = 0;

	if (poll(&p, 1, CONNECT_MS) <= 0)
		return -ETIMEDOUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	return -error;
}

int tcp_socket_connect(const struct addr *peer, const char *device, uint64_t socket_bytes,
		       uint64_t nonce, uint32_t flow_id)
{
	int fd = socket_open(peer->ss.ss_family, SOCK_STREAM | SOCK_NONBLOCK, device, socket_bytes);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (connect(fd, (const struct sockaddr *)&peer->ss, peer->len))
		ret = errno == EINPROGRESS ? finish_connect(fd) : -errno;
	if (!ret)
		ret = send_header(fd, nonce, flow_id);
	if (!ret && fcntl(fd, F_SETFL, 0))
		ret = -errno;
	return socket_keep(fd, ret);
}

int tcp_socket_listen(const struct addr *local, uint64_t socket_bytes)
{
	int fd = socket_open(local->ss.ss_family, SOCK_STREAM, "", socket_bytes);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (bind(fd, (const struct sockaddr *)&local->ss, local->len) || listen(fd, 4))
		ret = -errno;
	return socket_keep(fd, ret);
}
