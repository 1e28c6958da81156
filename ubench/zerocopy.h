/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which buffers of MSG_ZEROCOPY sends the kernel still holds, from its notifications. Pure but for zerocopy_enable(). */
#ifndef UBENCH_ZEROCOPY_H
#define UBENCH_ZEROCOPY_H

#include <stdbool.h>
#include <stdint.h>

struct msghdr;

/* Sends under way at once. More notes than these do not fit the optmem_max of older kernels. */
#define ZEROCOPY_SLOTS 16u

struct zerocopy {
	bool is_on;
	bool is_held[ZEROCOPY_SLOTS];	/* by send number modulo the slots */
	uint32_t next;			/* number that the kernel gives to the next send */
	unsigned int held;
	uint64_t sends, notified, copied;	/* as in struct result_zerocopy */
};

/* Allow MSG_ZEROCOPY on a socket. 0 or -errno (-EOPNOTSUPP and the like: before Linux 5.0 for UDP). */
int zerocopy_enable(int fd);

/* The slot that the next send may use, or -1 while the kernel holds it. */
int zerocopy_slot(const struct zerocopy *z);

/* The kernel took a send from that slot. */
void zerocopy_sent(struct zerocopy *z);

/*
 * A message from the socket's error queue: if it is a notification, free the
 * slots of the sends that it names. Sends that failed may have taken a number.
 */
void zerocopy_take(struct zerocopy *z, struct msghdr *msg);

#endif
