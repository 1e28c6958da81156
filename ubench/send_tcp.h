/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop of a TCP sender. */
#ifndef UBENCH_SEND_TCP_H
#define UBENCH_SEND_TCP_H

#include <stdint.h>

struct sender;

/* Messages back to back; a connection that breaks ends the loop. */
void send_tcp_each(struct sender *s, char *data);

/*
 * Bytes of the connection that the peer's kernel has acknowledged, short by
 * what the send() in progress has queued. From SIOCOUTQ, because TCP_INFO
 * waits for the socket's lock, which the sender may hold while it does not run.
 */
uint64_t send_tcp_acked(const struct sender *s);

#endif
