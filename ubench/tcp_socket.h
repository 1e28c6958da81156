/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data connections of a TCP test at both ends. */
#ifndef UBENCH_TCP_SOCKET_H
#define UBENCH_TCP_SOCKET_H

#include <stdint.h>

struct addr;

/*
 * Connect within 5 s and name the flow with a wire header. 0 for socket_bytes
 * leaves the kernel's own tuning. The blocking descriptor, or -errno.
 */
int tcp_socket_connect(const struct addr *peer, const char *device, uint64_t socket_bytes,
		       uint64_t nonce, uint32_t flow_id);

/* A blocking socket that listens on local. The descriptor, or -errno. */
int tcp_socket_listen(const struct addr *local, uint64_t socket_bytes);

#endif
