// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses: resolving, binding, connecting, showing. */
#include "addr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

static struct sockaddr_in *in4(const struct addr *a)
{
	return (struct sockaddr_in *)&a->ss;
}

static struct sockaddr_in6 *in6(const struct addr *a)
{
	return (struct sockaddr_in6 *)&a->ss;
}

uint16_t addr_port(const struct addr *a)
{
	return ntohs(a->ss.ss_family == AF_INET6 ? in6(a)->sin6_port : in4(a)->sin_port);
}

void addr_set_port(struct addr *a, uint16_t port)
{
	if (a->ss.ss_family == AF_INET6)
		in6(a)->sin6_port = htons(port);
	else
		in4(a)->sin_port = htons(port);
}

void addr_any(struct addr *a, int family, uint16_t port)
{
	memset(a, 0, sizeof(*a));
	a->ss.ss_family = (sa_family_t)family;
	a->len = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	addr_set_port(a, port);
}

void addr_unmap(struct addr *a)
{
	struct sockaddr_in6 v6 = *in6(a);

	if (a->ss.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr))
		return;
	addr_any(a, AF_INET, ntohs(v6.sin6_port));
	memcpy(&in4(a)->sin_addr, &v6.sin6_addr.s6_addr[12], 4);
}

bool addr_is_multicast(const struct addr *a)
{
	if (a->ss.ss_family == AF_INET6)
		return IN6_IS_ADDR_MULTICAST(&in6(a)->sin6_addr);
	return IN_MULTICAST(ntohl(in4(a)->sin_addr.s_addr));
}

const char *addr_text(const struct addr *a, char *buf)
{
	if (getnameinfo((const struct sockaddr *)&a->ss, a->len, buf, ADDR_TEXT_BYTES, NULL, 0,
			NI_NUMERICHOST))
		snprintf(buf, ADDR_TEXT_BYTES, "?");
	return buf;
}

/* A link-local address needs the interface's index, however it was written. */
static void set_scope(struct addr *a, const char *device)
{
	if (*device && a->ss.ss_family == AF_INET6 && !in6(a)->sin6_scope_id &&
	    (IN6_IS_ADDR_LINKLOCAL(&in6(a)->sin6_addr) ||
	     IN6_IS_ADDR_MULTICAST(&in6(a)->sin6_addr)))
		in6(a)->sin6_scope_id = if_nametoindex(device);
}

int addr_resolve(const char *host, const char *device, uint16_t port, int family, struct addr *list,
		 int max, const char **why)
{
	struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM };
	struct addrinfo *found, *ai;
	int n = 0, ret;

	if (*device && !if_nametoindex(device)) {
		*why = "no such interface";
		return -1;
	}
	ret = getaddrinfo(host, NULL, &hints, &found);
	if (ret) {
		*why = gai_strerror(ret);
		return -1;
	}
	for (ai = found; ai && n < max; ai = ai->ai_next) {
		if (ai->ai_family != AF_INET && ai->ai_family != AF_INET6)
			continue;
		memset(&list[n], 0, sizeof(list[n]));
		memcpy(&list[n].ss, ai->ai_addr, ai->ai_addrlen);
		list[n].len = ai->ai_addrlen;
		addr_set_port(&list[n], port);
		set_scope(&list[n], device);
		n++;
	}
	freeaddrinfo(found);
	*why = "no address";
	return n ? n : -1;
}

int addr_bind_device(int fd, const char *device)
{
	if (*device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device,
				  (socklen_t)strlen(device) + 1))
		return -errno;
	return 0;
}

/* Wait for the end of connect() on fd. 0 or -errno. */
static int finish_connect(int fd, int64_t deadline_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	struct timespec left = clock_left(deadline_ns);
	socklen_t len = sizeof(int);
	int ret, error = 0;

	ret = ppoll(&p, 1, &left, NULL);
	if (ret < 0)
		return -errno;
	if (!ret)
		return -ETIMEDOUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	return -error;
}

int addr_connect_tcp(const struct addr *a, const char *device, int64_t deadline_ns)
{
	int fd = socket(a->ss.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = addr_bind_device(fd, device);
	if (!ret && connect(fd, (const struct sockaddr *)&a->ss, a->len))
		ret = errno == EINPROGRESS ? finish_connect(fd, deadline_ns) : -errno;
	if (ret) {
		close(fd);
		return ret;
	}
	return fd;
}

static int is_same_host(const struct addr *a, const struct sockaddr *b)
{
	if (!b || b->sa_family != a->ss.ss_family)
		return 0;
	if (b->sa_family == AF_INET)
		return in4(a)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)b)->sin_addr.s_addr;
	return b->sa_family == AF_INET6 &&
	       !memcmp(&in6(a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr, 16);
}

bool addr_is_same_host(const struct addr *a, const struct addr *b)
{
	return is_same_host(a, (const struct sockaddr *)&b->ss);
}

int addr_interface(const struct addr *local, char *name)
{
	struct ifaddrs *all, *ifa;
	int ret = -ENODEV;

	if (getifaddrs(&all))
		return -errno;
	for (ifa = all; ifa && ret; ifa = ifa->ifa_next) {
		if (!is_same_host(local, ifa->ifa_addr))
			continue;
		snprintf(name, IF_NAMESIZE, "%s", ifa->ifa_name);
		ret = 0;
	}
	freeifaddrs(all);
	return ret;
}

bool addr_needs_scope(struct addr *a)
{
	struct ifaddrs *all, *ifa;
	unsigned int found = 0, n = 0;

	if (a->ss.ss_family != AF_INET6 || !IN6_IS_ADDR_LINKLOCAL(&in6(a)->sin6_addr) ||
	    in6(a)->sin6_scope_id)
		return false;
	if (getifaddrs(&all))
		return true;
	for (ifa = all; ifa; ifa = ifa->ifa_next) {
		if (!is_same_host(a, ifa->ifa_addr))
			continue;
		found = if_nametoindex(ifa->ifa_name);
		n++;
	}
	freeifaddrs(all);
	if (n == 1)
		in6(a)->sin6_scope_id = found;
	return !in6(a)->sin6_scope_id;
}
