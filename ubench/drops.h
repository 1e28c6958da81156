/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that an interface has dropped, by place; of whomever they were. */
#ifndef UBENCH_DROPS_H
#define UBENCH_DROPS_H

#include <stdint.h>

struct drops {
	uint64_t queue;		/* by the queueing disciplines */
	uint64_t transmit_ring;	/* by the device, after the queue */
	uint64_t receive_ring;	/* by the device, or for want of room behind it */
	uint64_t checksum;	/* datagrams to the whole network namespace whose checksum was wrong */
};

/* Counters of the interface now; "" and what is not known: 0. */
struct drops drops_now(const char *interface);

/* What has been dropped between two readings. Pure. */
struct drops drops_since(const struct drops *before, const struct drops *after);

/* Of a sender's and a receiver's drops, each where it counts. Pure. */
struct drops drops_join(const struct drops *sender, const struct drops *receiver);

#endif
