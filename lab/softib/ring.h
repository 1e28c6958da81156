/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work queue ring arithmetic: free-running 32-bit indices, and exactly as many slots as asked for.
 */
#ifndef SOFTIB_RING_H
#define SOFTIB_RING_H

#include <linux/types.h>

/**
 * struct softib_ring - the indices of one work queue
 * @size:  slots the consumer may fill (need not be a power of two)
 * @mask:  allocated slots (a power of two >= @size) minus one
 * @head:  index of the next slot to post
 * @next:  index of the next slot the engine takes
 * @done:  index of the oldest slot whose completion is not written yet
 * @tail:  index of the oldest slot that is not free; written by CQ polling alone
 *
 * tail <= done <= next <= head <= tail + size, in free-running arithmetic.
 */
struct softib_ring {
	u32 size;
	u32 mask;
	u32 head;
	u32 next;
	u32 done;
	u32 tail;
};

/* Slots posted and not yet freed by a polled completion. */
static inline u32 softib_ring_used(u32 head, u32 tail)
{
	return head - tail;
}

static inline bool softib_ring_full(u32 head, u32 tail, u32 size)
{
	return softib_ring_used(head, tail) >= size;
}

#endif
