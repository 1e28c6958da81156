// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion queues: an entry per completion, one event per arming, an error when an entry is lost.
 */
#include "cq.h"

#include "compat.h"
#include "cost.h"
#include "counters.h"
#include "device.h"
#include "port.h"
#include "qp.h"
#include "vector.h"

#include <linux/log2.h>
#include <linux/slab.h>

static void softib_cq_put(struct softib_cq *cq)
{
	if (refcount_dec_and_test(&cq->refs))
		complete(&cq->unused);
}

/* Tells the consumer, from process context, that an entry was lost (IBA 11.6.3.2, CQ error). */
static void softib_cq_error(struct work_struct *work)
{
	struct softib_cq *cq = container_of(work, struct softib_cq, error_work);
	struct ib_event event = {
		.device = cq->base.device,
		.element.cq = &cq->base,
		.event = IB_EVENT_CQ_ERR,
	};

	ibdev_warn(cq->base.device, "completion queue of %d entries overflowed\n", cq->base.cqe);
	if (cq->base.event_handler)
		cq->base.event_handler(&event, cq->base.cq_context);
}

/**
 * softib_create_cq_common() - ib_device_ops.create_cq without its version-dependent argument
 * @ibcq: zeroed, allocated by ib_core
 * @attr: number of entries (kept exactly, so that an overflow shows) and completion vector
 *
 * Return: 0, -EINVAL for a bad size or vector, -EOPNOTSUPP for creation flags, -ENOMEM. May sleep.
 */
int softib_create_cq_common(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr)
{
	struct softib_dev *dev = softib_dev(ibcq->device);
	struct softib_cq *cq = softib_cq(ibcq);
	u32 slots;

	if (attr->flags)
		return -EOPNOTSUPP;
	if (attr->cqe < 1 || attr->cqe > SOFTIB_MAX_CQE ||
	    attr->comp_vector >= dev->ibdev.num_comp_vectors)
		return -EINVAL;

	slots = roundup_pow_of_two(attr->cqe);
	cq->ring = kvcalloc(slots, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	cq->mask = slots - 1;
	cq->vector = &dev->vectors[attr->comp_vector];
	cq->base.cqe = attr->cqe;
	spin_lock_init(&cq->lock);
	refcount_set(&cq->refs, 1);
	init_completion(&cq->unused);
	INIT_WORK(&cq->error_work, softib_cq_error);
	softib_cq_timers_init(cq);
	return 0;
}

/*
 * ib_device_ops.destroy_cq: the queue pairs are gone, so no new event can be raised; waits for
 * those raised already and for their interrupt to let go. May sleep.
 */
int softib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct softib_cq *cq = softib_cq(ibcq);

	spin_lock_irq(&cq->lock);
	cq->armed = SOFTIB_CQ_DISARMED;
	spin_unlock_irq(&cq->lock);

	softib_cq_timers_cancel(cq);
	softib_cq_put(cq);
	wait_for_completion(&cq->unused);
	cancel_work_sync(&cq->error_work);
	kvfree(cq->ring);
	return 0;
}

/* Counts an event under the queue pair whose entry raised it. Caller holds the lock. */
void softib_cq_count_event(const struct softib_cqe *entry)
{
	struct softib_qp *qp = softib_qp(entry->wc.qp);

	if (qp->is_data)
		softib_count(qp->port->stats,
			     entry->wc.opcode & IB_WC_RECV ? SOFTIB_RX_EVENTS : SOFTIB_TX_EVENTS,
			     1);
}

/* Must this entry, now visible, raise an event? Disarms if so. Caller holds the lock. */
static bool softib_cq_take_event(struct softib_cq *cq, const struct softib_cqe *entry)
{
	if (cq->armed == SOFTIB_CQ_DISARMED)
		return false;
	if (cq->armed == SOFTIB_CQ_ARMED_SOLICITED && !entry->solicited &&
	    entry->wc.status == IB_WC_SUCCESS)
		return false;
	if (unlikely(cq->moderate_count > 1) && softib_cq_moderated(cq))
		return false;
	cq->armed = SOFTIB_CQ_DISARMED;
	softib_cq_count_event(entry);
	return true;
}

/* Shows the consumer one more entry. True if that raises an event. Caller holds the lock. */
bool softib_cq_show_next(struct softib_cq *cq)
{
	return softib_cq_take_event(cq, &cq->ring[cq->visible++ & cq->mask]);
}

/* Interrupts for an event that was taken; no lock need be held. Any context. */
void softib_cq_raise(struct softib_cq *cq)
{
	if (atomic_inc_return(&cq->events) != 1)
		return;
	refcount_inc(&cq->refs);
	softib_vector_raise(cq->vector, cq);
}

static void softib_cq_count_entry(const struct softib_cqe *entry)
{
	struct softib_qp *qp = softib_qp(entry->wc.qp);

	if (qp->is_data)
		softib_count(qp->port->stats,
			     entry->wc.opcode & IB_WC_RECV ? SOFTIB_RX_CQES : SOFTIB_TX_CQES, 1);
}

/* Writes the next entry. False, and the queue is in error, if there is no room. Lock held. */
static bool softib_cq_write(struct softib_cq *cq, const struct ib_wc *wc, u32 *retire, u32 upto,
			    bool solicited)
{
	struct softib_cqe *entry = &cq->ring[cq->head & cq->mask];

	if (unlikely(cq->head - cq->tail >= cq->base.cqe)) {
		if (!cq->overflown)
			queue_work(system_wq, &cq->error_work);
		cq->overflown = true;
		return false;
	}
	entry->wc = *wc;
	entry->retire = retire;
	entry->upto = upto;
	entry->solicited = solicited;
	cq->head++;
	softib_cq_count_entry(entry);
	return true;
}

/**
 * softib_cq_push() - append a completion and raise the event it is due
 * @cq:        the queue
 * @wc:        the completion
 * @retire:    tail index of the work queue whose slots polling this entry frees
 * @upto:      the index it is set to
 * @solicited: the message asked for a solicited event
 * @delay_us:  microseconds until the consumer sees it; entries behind it wait too
 *
 * Any context; takes the CQ lock alone, and the comp_handler runs later in an interrupt.
 *
 * Return: 0, or -ENOSPC if the queue was full: the entry is lost and the queue in error.
 */
int softib_cq_push(struct softib_cq *cq, const struct ib_wc *wc, u32 *retire, u32 upto,
		   bool solicited, u32 delay_us)
{
	unsigned long flags;
	bool event = false;
	int err = 0;

	spin_lock_irqsave(&cq->lock, flags);
	if (unlikely(!softib_cq_write(cq, wc, retire, upto, solicited)))
		err = -ENOSPC;
	else if (unlikely(delay_us || cq->visible != cq->head - 1))
		softib_cq_hold(cq, delay_us);
	else
		event = softib_cq_show_next(cq);
	spin_unlock_irqrestore(&cq->lock, flags);

	if (event)
		softib_cq_raise(cq);
	return err;
}

/* Gives the slots of an entry back to the poster. */
static void softib_cq_retire(const struct softib_cqe *entry)
{
	/* It was read before: pairs with softib_queue_full() and softib_srq_find_free(). */
	smp_store_release(entry->retire, entry->upto);
}

/*
 * ib_device_ops.poll_cq: any context. Polling an entry is what frees work queue slots: its own, and
 * on a send queue all older ones (IBA 10.8.5.1: an unsignaled request is complete once a later
 * one's completion was polled).
 */
int softib_poll_cq(struct ib_cq *ibcq, int num_entries, struct ib_wc *wc)
{
	struct softib_cq *cq = softib_cq(ibcq);
	unsigned long flags;
	int polled = 0;

	spin_lock_irqsave(&cq->lock, flags);
	while (polled < num_entries && cq->tail != cq->visible) {
		struct softib_cqe *entry = &cq->ring[cq->tail & cq->mask];

		wc[polled++] = entry->wc;
		softib_cq_retire(entry);
		cq->tail++;
	}
	spin_unlock_irqrestore(&cq->lock, flags);

	softib_cost_charge(READ_ONCE(softib_cost_cqe_ns), polled);
	return polled;
}

/*
 * ib_device_ops.req_notify_cq: arms for the next entry written from now on. Entries that are there
 * already raise nothing; they are reported by 1 if IB_CQ_REPORT_MISSED_EVENTS asks. A request for
 * any completion outlives a later one for solicited ones (IBA 11.4.2.2). Any context.
 */
int softib_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags notify)
{
	struct softib_cq *cq = softib_cq(ibcq);
	unsigned long flags;
	int missed = 0;

	spin_lock_irqsave(&cq->lock, flags);
	if ((notify & IB_CQ_SOLICITED_MASK) == IB_CQ_NEXT_COMP)
		cq->armed = SOFTIB_CQ_ARMED_NEXT;
	else if (cq->armed == SOFTIB_CQ_DISARMED)
		cq->armed = SOFTIB_CQ_ARMED_SOLICITED;
	if ((notify & IB_CQ_REPORT_MISSED_EVENTS) && cq->visible != cq->tail)
		missed = 1;
	spin_unlock_irqrestore(&cq->lock, flags);
	return missed;
}

/* Takes a queue pair's unpolled completions out, for its reset or end. Any context. */
void softib_cq_clean(struct softib_cq *cq, struct ib_qp *ibqp)
{
	unsigned long flags;
	u32 from, to, visible = 0;

	spin_lock_irqsave(&cq->lock, flags);
	for (from = to = cq->tail; from != cq->head; from++) {
		if (from == cq->visible)
			visible = to;
		if (cq->ring[from & cq->mask].wc.qp == ibqp) {
			softib_cq_retire(&cq->ring[from & cq->mask]);
			continue;
		}
		cq->ring[to++ & cq->mask] = cq->ring[from & cq->mask];
	}
	cq->visible = cq->visible == cq->head ? to : visible;
	cq->head = to;
	spin_unlock_irqrestore(&cq->lock, flags);
}

/* Calls the comp_handler once per event raised. Hard interrupt context of the CQ's vector. */
void softib_cq_deliver_events(struct softib_cq *cq)
{
	int events = atomic_xchg(&cq->events, 0);

	while (events--)
		cq->base.comp_handler(&cq->base, cq->base.cq_context);
	softib_cq_put(cq);
}
