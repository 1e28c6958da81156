// SPDX-License-Identifier: GPL-2.0-or-later
/* Data sockets at both ends: buffers and UDP. */
#include "socket.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addr.h"
#include "send_udp.h"

int socket_set_buffers(int fd, uint64_t bytes)
{
	int value = bytes > INT32_MAX ? INT32_MAX : (int)bytes;

	if (!bytes)
		return 0;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &value, sizeof(value)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &value, sizeof(value)))
		return -errno;
	return 0;
}

static uint64_t get_buffer(int fd, int name)
{
	socklen_t len = sizeof(int);
	int value = 0;

	if (getsockopt(fd, SOL_SOCKET, name, &value, &len) || value < 0)
		return 0;
	return (uint64_t)value;
}

uint64_t socket_send_bytes(int fd)
{
	return get_buffer(fd, SO_SNDBUF);
}

uint64_t socket_recv_bytes(int fd)
{
	return get_buffer(fd, SO_RCVBUF);
}

int socket_connect_udp(const struct addr *peer, const char *device, uint64_t socket_bytes)
{
	int fd = socket(peer->ss.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = addr_bind_device(fd, device);
	if (!ret)
		ret = socket_set_buffers(fd, socket_bytes);
	if (!ret)
		ret = send_udp_want_errors(fd, peer->ss.ss_family);
	if (!ret && connect(fd, (const struct sockaddr *)&peer->ss, peer->len))
		ret = -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

int socket_bind_udp(const struct addr *local, uint64_t socket_bytes)
{
	int fd = socket(local->ss.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = socket_set_buffers(fd, socket_bytes);
	if (!ret && bind(fd, (const struct sockaddr *)&local->ss, local->len))
		ret = -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}
