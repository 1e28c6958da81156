/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loops of UDP senders; see struct sender's loop. */
#ifndef UBENCH_SEND_UDP_H
#define UBENCH_SEND_UDP_H

struct sender;

/* One send() per packet: the same work as netperf's. */
void send_udp_each(struct sender *s, char *data);
/* One send() per packet at s->pps, the gaps recorded in s->gaps_ns. */
void send_udp_paced(struct sender *s, char *data);
/* per_call packets in one sendmmsg(). */
void send_udp_batch(struct sender *s, char *data);
/* per_call packets in one send() that the kernel or device cuts (UDP_SEGMENT). */
void send_udp_gso(struct sender *s, char *data);

/*
 * Let the kernel cut every send into messages of so many bytes. 0 or -errno
 * (-ENOPROTOOPT: before Linux 4.18).
 */
int send_udp_enable_gso(int fd, unsigned int message_bytes);

/*
 * Ask for errors that UDP otherwise hides (IP_RECVERR, IPV6_RECVERR): without
 * it a packet that the local queue dropped counts as sent. 0 or -errno.
 */
int send_udp_want_errors(int fd, int family);

#endif
