// SPDX-License-Identifier: GPL-2.0-only
/* What a completion queue does later: events that wait for entries, entries a fault delays. */
#include "cq.h"

#include <linux/ktime.h>

/* Shows everything that was held back. */
static enum hrtimer_restart softib_cq_reveal(struct hrtimer *timer)
{
	struct softib_cq *cq = container_of(timer, struct softib_cq, reveal_timer);
	unsigned long flags;
	bool event = false;

	spin_lock_irqsave(&cq->lock, flags);
	while (cq->visible != cq->head)
		event |= softib_cq_show_next(cq);
	spin_unlock_irqrestore(&cq->lock, flags);
	if (event)
		softib_cq_raise(cq);
	return HRTIMER_NORESTART;
}

/* Not enough entries came: the event is due now, unless the consumer polled them meanwhile. */
static enum hrtimer_restart softib_cq_moderate_end(struct hrtimer *timer)
{
	struct softib_cq *cq = container_of(timer, struct softib_cq, moderate_timer);
	unsigned long flags;
	bool event;

	spin_lock_irqsave(&cq->lock, flags);
	event = cq->unreported && cq->armed != SOFTIB_CQ_DISARMED && cq->visible != cq->tail;
	cq->unreported = 0;
	if (event) {
		cq->armed = SOFTIB_CQ_DISARMED;
		softib_cq_count_event(&cq->ring[(cq->visible - 1) & cq->mask]);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (event)
		softib_cq_raise(cq);
	return HRTIMER_NORESTART;
}

void softib_cq_timers_init(struct softib_cq *cq)
{
	hrtimer_init(&cq->reveal_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	cq->reveal_timer.function = softib_cq_reveal;
	hrtimer_init(&cq->moderate_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	cq->moderate_timer.function = softib_cq_moderate_end;
}

/* No queue pair uses the queue any more, so neither timer starts again. May sleep. */
void softib_cq_timers_cancel(struct softib_cq *cq)
{
	hrtimer_cancel(&cq->reveal_timer);
	hrtimer_cancel(&cq->moderate_timer);
}

/*
 * Keeps the newest entry back for @delay_us microseconds, or until older ones are shown. Caller
 * holds the lock.
 */
void softib_cq_hold(struct softib_cq *cq, u32 delay_us)
{
	if (!hrtimer_is_queued(&cq->reveal_timer))
		hrtimer_start(&cq->reveal_timer, ns_to_ktime((u64)delay_us * NSEC_PER_USEC),
			      HRTIMER_MODE_REL);
}

/* Does an event that is due wait for more entries? Starts the wait. Caller holds the lock. */
bool softib_cq_moderated(struct softib_cq *cq)
{
	if (++cq->unreported >= cq->moderate_count) {
		cq->unreported = 0;
		return false;
	}
	if (!hrtimer_is_queued(&cq->moderate_timer))
		hrtimer_start(&cq->moderate_timer,
			      ns_to_ktime((u64)cq->moderate_us * NSEC_PER_USEC), HRTIMER_MODE_REL);
	return true;
}

/**
 * softib_modify_cq() - ib_device_ops.modify_cq: moderate a completion queue's events
 * @ibcq:      the queue
 * @count:     an event waits until that many entries are there; 0 or 1: it does not wait
 * @period_us: microseconds after which it waits no longer; 0: it does not wait
 *
 * Return: 0. Any context.
 */
int softib_modify_cq(struct ib_cq *ibcq, u16 count, u16 period_us)
{
	struct softib_cq *cq = softib_cq(ibcq);
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	cq->moderate_count = period_us ? count : 0;
	cq->moderate_us = period_us;
	spin_unlock_irqrestore(&cq->lock, flags);
	return 0;
}
