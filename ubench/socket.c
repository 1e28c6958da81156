// SPDX-License-Identifier: GPL-2.0-or-later
/* Data sockets at both ends: buffers and UDP. */
#include "socket.h"

#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addr.h"

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

int socket_join(int fd, const struct addr *group, const struct addr *local)
{
	struct group_req request = { 0 };
	char interface[IF_NAMESIZE];
	int ret = addr_interface(local, interface);

	if (ret)
		return ret;
	request.gr_interface = if_nametoindex(interface);
	memcpy(&request.gr_group, &group->ss, sizeof(group->ss));
	return setsockopt(fd, group->ss.ss_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP,
			  MCAST_JOIN_GROUP, &request, sizeof(request)) ? -errno : 0;
}

int socket_set_ttl(int fd, int family, int hops)
{
	const bool is_v6 = family == AF_INET6;
	const int level = is_v6 ? IPPROTO_IPV6 : IPPROTO_IP;

	if (setsockopt(fd, level, is_v6 ? IPV6_UNICAST_HOPS : IP_TTL, &hops, sizeof(hops)) ||
	    setsockopt(fd, level, is_v6 ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL, &hops,
		       sizeof(hops)))
		return -errno;
	return 0;
}

int socket_set_df(int fd, int family)
{
	int value = IP_PMTUDISC_DO;

	if (family == AF_INET6)
		return setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &value, sizeof(value)) ?
			       -errno : 0;
	return setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &value, sizeof(value)) ? -errno : 0;
}

int socket_want_errors(int fd, int family)
{
	int one = 1, ret;

	if (family == AF_INET6)
		ret = setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &one, sizeof(one));
	else
		ret = setsockopt(fd, IPPROTO_IP, IP_RECVERR, &one, sizeof(one));
	return ret ? -errno : 0;
}

bool socket_error_is_passing(int error)
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

uint64_t socket_fragments(int fd, int family, uint64_t message_bytes)
{
	const bool is_v6 = family == AF_INET6;
	const uint64_t ip_bytes = is_v6 ? 40 : 20, udp_bytes = 8, fragment_header = is_v6 ? 8 : 0;
	uint64_t payload = message_bytes + udp_bytes, room;
	socklen_t len = sizeof(int);
	int mtu = 0;

	if (getsockopt(fd, is_v6 ? IPPROTO_IPV6 : IPPROTO_IP, is_v6 ? IPV6_MTU : IP_MTU, &mtu, &len) ||
	    mtu < 68)
		return 0;
	if (payload <= (uint64_t)mtu - ip_bytes)
		return 1;
	/* All fragments but the last carry a multiple of 8 bytes (RFC 791, RFC 8200). */
	room = ((uint64_t)mtu - ip_bytes - fragment_header) & ~7ULL;
	return (payload + room - 1) / room;
}

int socket_keep(int fd, int ret)
{
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int socket_open(int family, int type, const char *device, uint64_t socket_bytes)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = addr_bind_device(fd, device);
	if (!ret)
		ret = socket_set_buffers(fd, socket_bytes);
	return socket_keep(fd, ret);
}

int socket_connect_udp(const struct addr *peer, const char *device, uint64_t socket_bytes)
{
	int fd = socket_open(peer->ss.ss_family, SOCK_DGRAM, device, socket_bytes);
	int ret;

	if (fd < 0)
		return fd;
	ret = socket_want_errors(fd, peer->ss.ss_family);
	if (!ret && connect(fd, (const struct sockaddr *)&peer->ss, peer->len))
		ret = -errno;
	return socket_keep(fd, ret);
}

int socket_bind_udp(const struct addr *local, uint64_t socket_bytes)
{
	int fd = socket_open(local->ss.ss_family, SOCK_DGRAM, "", socket_bytes);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (bind(fd, (const struct sockaddr *)&local->ss, local->len))
		ret = -errno;
	return socket_keep(fd, ret);
}
