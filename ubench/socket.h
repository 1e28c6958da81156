/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data sockets at both ends: buffers and UDP. */
#ifndef UBENCH_SOCKET_H
#define UBENCH_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

struct addr;

/*
 * A blocking socket of this type, bound to the device ("": to none), its buffers asked for
 * before it is bound or connected, as TCP's window scale follows from them.
 * 0 for socket_bytes leaves the defaults. The descriptor, or -errno.
 */
int socket_open(int family, int type, const char *device, uint64_t socket_bytes);

/* What an opening function returns: fd when ret is 0; else fd is closed and ret returned. */
int socket_keep(int fd, int ret);

/*
 * A blocking socket connected to peer, its send errors not hidden. 0 for
 * socket_bytes leaves the default buffers. The descriptor, or -errno.
 */
int socket_connect_udp(const struct addr *peer, const char *device, uint64_t socket_bytes);

/* A blocking socket bound to local. The descriptor, or -errno. */
int socket_bind_udp(const struct addr *local, uint64_t socket_bytes);

/* Ask for send and receive buffers of so many bytes; 0 leaves the defaults. 0 or -errno. */
int socket_set_buffers(int fd, uint64_t bytes);

/*
 * Receive the packets of a multicast group on the interface that has the
 * address local. 0 or -errno.
 */
int socket_join(int fd, const struct addr *group, const struct addr *local);

/* Hops that a packet may take, to one host or to a group. 0 or -errno. */
int socket_set_ttl(int fd, int family, int hops);

/* Never fragment: a message over the path's MTU fails with EMSGSIZE. 0 or -errno. */
int socket_set_df(int fd, int family);

/*
 * Ask for errors that UDP otherwise hides (IP_RECVERR, IPV6_RECVERR): without
 * it a packet that the local queue dropped counts as sent. 0 or -errno.
 */
int socket_want_errors(int fd, int family);

/*
 * Whether an errno of sending or receiving says something about one packet or
 * one moment, not about the socket.
 */
bool socket_error_is_passing(int error);

/*
 * IP packets that a connected UDP socket makes of one message, by the path's
 * MTU as known now; 0 when it is not.
 */
uint64_t socket_fragments(int fd, int family, uint64_t message_bytes);

/* Buffer sizes as granted by the kernel; netperf shows the same figures. 0 when unknown. */
uint64_t socket_send_bytes(int fd);
uint64_t socket_recv_bytes(int fd);

#endif
