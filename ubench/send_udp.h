/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loops of UDP senders; see struct sender's loop. */
#ifndef UBENCH_SEND_UDP_H
#define UBENCH_SEND_UDP_H

#include <stdbool.h>

struct sender;

/* At most one of the first three, or gso with zerocopy; all zeros: one send() per packet. */
struct send_udp_way {
	long batch;		/* messages of one sendmmsg() */
	long gso;		/* messages of one UDP_SEGMENT send() */
	double pps;
	bool has_zerocopy;
};

/* Set s->loop and what it needs; s->fd and s->message_bytes are set already. 0 or -errno of the socket. */
int send_udp_choose(struct sender *s, const struct send_udp_way *way);

/* One send() per packet: the same work as netperf's. */
void send_udp_each(struct sender *s, char *data);
/* One send() per packet at s->pps, the gaps recorded in s->gaps_ns. */
void send_udp_paced(struct sender *s, char *data);
/* per_call packets in one sendmmsg(). */
void send_udp_batch(struct sender *s, char *data);
/* per_call packets in one send() that the kernel or device cuts (UDP_SEGMENT). */
void send_udp_gso(struct sender *s, char *data);
/* As one of the first or the one before, with MSG_ZEROCOPY from buffers in turn. */
void send_udp_zerocopy(struct sender *s, char *data);

/*
 * Let the kernel cut every send into messages of so many bytes. 0 or -errno
 * (-ENOPROTOOPT: before Linux 4.18).
 */
int send_udp_enable_gso(int fd, unsigned int message_bytes);

#endif
