/* SPDX-License-Identifier: GPL-2.0-only */
/* Completion queues with the arm/notify semantics of IBA volume 1, section 11.4.2. */
#ifndef SOFTIB_CQ_H
#define SOFTIB_CQ_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct softib_vector;
struct uverbs_attr_bundle;

/**
 * struct softib_cqe - a completion waiting to be polled
 * @wc:     what the consumer gets
 * @retire: the work queue's tail index, or the owner of an SRQ's slot
 * @upto:   what polling this entry sets it to: every slot below this index is free, or the slot
 * @solicited: the message asked for a solicited event
 */
struct softib_cqe {
	struct ib_wc wc;
	u32 *retire;
	u32 upto;
	bool solicited;
};

enum softib_cq_arm {
	SOFTIB_CQ_DISARMED,
	SOFTIB_CQ_ARMED_SOLICITED,
	SOFTIB_CQ_ARMED_NEXT,
};

/**
 * struct softib_cq - completion queue
 * @lock:       guards the ring, @armed and @overflown; never held across a handler
 * @ring:       @mask + 1 entries, of which base.cqe are used
 * @head:       index of the next entry to write
 * @visible:    index of the next entry to show to the consumer; behind @head only under a delay
 *              fault
 * @tail:       index of the next entry to poll
 * @armed:      enum softib_cq_arm; an event disarms
 * @overflown:  an entry was lost: the queue is in error for good
 * @moderate_count: entries an event may wait for, below 2: none
 * @moderate_us:    microseconds an event may wait for them
 * @unreported: entries written since the last event, while armed and moderated
 * @reveal_timer: ends a delay fault
 * @moderate_timer: ends the wait for more entries
 * @events:     raised and not yet delivered; the first one holds a reference
 * @refs:       the consumer's, and one while events are pending; @unused completes with the last
 * @error_work: tells the consumer that an entry was lost
 * @event_node: links the queue into @vector's pending list
 */
struct softib_cq {
	struct ib_cq base;
	spinlock_t lock; /* see above */
	struct softib_cqe *ring;
	u32 mask;
	u32 head;
	u32 visible;
	u32 tail;
	u8 armed;
	bool overflown;
	u16 moderate_count;
	u16 moderate_us;
	u32 unreported;
	struct hrtimer reveal_timer;
	struct hrtimer moderate_timer;
	atomic_t events;
	struct llist_node event_node;
	struct softib_vector *vector;
	refcount_t refs;
	struct completion unused;
	struct work_struct error_work;
};

static inline struct softib_cq *softib_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct softib_cq, base);
}

int softib_create_cq_common(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr);
int softib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int softib_poll_cq(struct ib_cq *ibcq, int num_entries, struct ib_wc *wc);
int softib_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
int softib_cq_push(struct softib_cq *cq, const struct ib_wc *wc, u32 *retire, u32 upto,
		   bool solicited, u32 delay_us);
int softib_modify_cq(struct ib_cq *ibcq, u16 count, u16 period_us);
void softib_cq_clean(struct softib_cq *cq, struct ib_qp *ibqp);
void softib_cq_deliver_events(struct softib_cq *cq);

bool softib_cq_show_next(struct softib_cq *cq);
void softib_cq_count_event(const struct softib_cqe *entry);
void softib_cq_raise(struct softib_cq *cq);
void softib_cq_timers_init(struct softib_cq *cq);
void softib_cq_timers_cancel(struct softib_cq *cq);
void softib_cq_hold(struct softib_cq *cq, u32 delay_us);
bool softib_cq_moderated(struct softib_cq *cq);

#endif
