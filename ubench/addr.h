/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses: resolving, binding, connecting, showing. */
#ifndef UBENCH_ADDR_H
#define UBENCH_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct addr {
	struct sockaddr_storage ss;
	socklen_t len;
};

#define ADDR_TEXT_BYTES 80

/*
 * Resolve host (name or number, no "%device") and port. family may be
 * AF_UNSPEC. Fills at most max addresses in the resolver's order. Number of
 * addresses, or -1 with *why set to the resolver's reason.
 */
int addr_resolve(const char *host, const char *device, uint16_t port, int family, struct addr *list,
		 int max, const char **why);

/* Wildcard of a family. */
void addr_any(struct addr *a, int family, uint16_t port);
uint16_t addr_port(const struct addr *a);
void addr_set_port(struct addr *a, uint16_t port);
/* IPv4 in IPv6's clothes (::ffff:a.b.c.d) becomes plain IPv4. */
void addr_unmap(struct addr *a);
/* Whether both are of the same host, whatever their ports. */
bool addr_is_same_host(const struct addr *a, const struct addr *b);
/*
 * Whether it is a link-local IPv6 address that does not say on which link, so
 * that nothing can be bound to it. Where one interface of this host alone has
 * the address, that one is filled in.
 */
bool addr_needs_scope(struct addr *a);
bool addr_is_multicast(const struct addr *a);
/* "10.0.0.2" or "fe80::1%ib0", without the port; buf of ADDR_TEXT_BYTES. */
const char *addr_text(const struct addr *a, char *buf);

/*
 * TCP connection within the deadline; with a device, bound to it. The new
 * non-blocking socket, or -errno.
 */
int addr_connect_tcp(const struct addr *a, const char *device, int64_t deadline_ns);

/* Bind fd to a device; "" does nothing. 0 or -errno. */
int addr_bind_device(int fd, const char *device);

/* Name of the interface that holds this local address into name (IF_NAMESIZE); 0 or -errno. */
int addr_interface(const struct addr *local, char *name);

#endif
