/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data sockets of a UDP test at both ends. */
#ifndef UBENCH_UDP_SOCKET_H
#define UBENCH_UDP_SOCKET_H

#include <stdint.h>

struct addr;

/*
 * A blocking socket connected to peer, its send errors not hidden. 0 for
 * socket_bytes leaves the default buffers. The descriptor, or -errno.
 */
int udp_socket_connect(const struct addr *peer, const char *device, uint64_t socket_bytes);

/* A blocking socket bound to local. The descriptor, or -errno. */
int udp_socket_bind(const struct addr *local, uint64_t socket_bytes);

/* Buffer sizes as granted by the kernel; netperf shows the same figures. 0 when unknown. */
uint64_t udp_socket_send_bytes(int fd);
uint64_t udp_socket_recv_bytes(int fd);

#endif
