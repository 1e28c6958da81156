/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults that tests pull through debugfs: what cannot be provoked otherwise. */
#ifndef SOFTIB_FAULT_H
#define SOFTIB_FAULT_H

#include <linux/atomic.h>
#include <linux/types.h>

struct dentry;
struct softib_dev;

/**
 * struct softib_fault - the faults of one HCA; they concern data queue pairs alone
 * @fail_post_nth: that many posted send requests from now, one is refused with -ENOMEM; 0 is off
 * @fail_send_nth: that many processed send requests from now, one ends in error; 0 is off
 * @delay_send_us: microseconds until a send completion can be polled and raises its event
 * @delay_recv_us: the same for receive completions
 * @stall_send:    send queues take requests and process none
 */
struct softib_fault {
	atomic_t fail_post_nth;
	atomic_t fail_send_nth;
	u32 delay_send_us;
	u32 delay_recv_us;
	bool stall_send;
};

/* Counts one down; true when it is the one. Costs a load while off. Any context. */
static inline bool softib_fault_due(atomic_t *nth)
{
	return unlikely(atomic_read(nth) > 0) && atomic_dec_if_positive(nth) == 0;
}

void softib_fault_add(struct softib_dev *dev, struct dentry *dir);

#endif
