// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared receive queues (IBA volume 1, section 10.2.9). Requests are taken in the order they were
 * posted and complete in any, so each slot says itself whose it is.
 */
#include "srq.h"

#include "device.h"
#include "qp.h"
#include "ring.h"

#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

static bool softib_have_srq = true;
module_param_named(srq, softib_have_srq, bool, 0444);
MODULE_PARM_DESC(srq, "HCAs have shared receive queues (default Y)");

static struct softib_recv_wqe *softib_srq_slot(struct softib_srq *srq, u32 slot)
{
	return srq->slots + (size_t)slot * srq->stride;
}

static void softib_srq_limit_reached(struct work_struct *work)
{
	struct softib_srq *srq = container_of(work, struct softib_srq, limit_work);
	struct ib_event event = {
		.device = srq->ibsrq.device,
		.element.srq = &srq->ibsrq,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
	};

	if (srq->ibsrq.event_handler)
		srq->ibsrq.event_handler(&event, srq->ibsrq.srq_context);
}

static void softib_srq_free(struct softib_srq *srq)
{
	kvfree(srq->order);
	kvfree(srq->owner);
	kvfree(srq->slots);
}

/* 0, or -ENOMEM with what was allocated left to softib_srq_free(). */
static int softib_srq_alloc(struct softib_srq *srq)
{
	srq->slots = kvcalloc(srq->size, srq->stride, GFP_KERNEL);
	srq->owner = kvcalloc(srq->size, sizeof(*srq->owner), GFP_KERNEL);
	srq->order = kvcalloc(srq->mask + 1, sizeof(*srq->order), GFP_KERNEL);
	return srq->slots && srq->owner && srq->order ? 0 : -ENOMEM;
}

/**
 * softib_create_srq() - ib_device_ops.create_srq
 * @ibsrq: zeroed, allocated by ib_core
 * @init:  basic type; size and number of entries are kept exactly, the limit is not armed
 * @udata: NULL
 *
 * Return: 0; -EOPNOTSUPP for other types, or without SRQs; -EINVAL for sizes over the device's;
 * -ENOMEM. May sleep.
 */
int softib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct softib_srq *srq = softib_srq(ibsrq);
	int err;

	if (!softib_have_srq || init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (!init->attr.max_wr || init->attr.max_wr > SOFTIB_MAX_WR ||
	    init->attr.max_sge > SOFTIB_MAX_SGE)
		return -EINVAL;
	spin_lock_init(&srq->lock);
	INIT_WORK(&srq->limit_work, softib_srq_limit_reached);
	srq->size = init->attr.max_wr;
	srq->mask = roundup_pow_of_two(srq->size) - 1;
	srq->max_sge = init->attr.max_sge;
	srq->stride = softib_recv_stride(srq->max_sge);
	err = softib_srq_alloc(srq);
	if (err)
		softib_srq_free(srq);
	return err;
}

/*
 * ib_device_ops.destroy_srq: ib_core refuses while a queue pair uses it, so nobody takes from it
 * and no completion names its slots. May sleep.
 */
int softib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata)
{
	struct softib_srq *srq = softib_srq(ibsrq);

	cancel_work_sync(&srq->limit_work);
	softib_srq_free(srq);
	return 0;
}

/* Raises the event an armed limit asks for and disarms it (IBA 10.2.9.5). Caller holds the lock. */
static void softib_srq_check_limit(struct softib_srq *srq)
{
	if (srq->head - srq->next >= srq->limit)
		return;
	srq->limit = 0;
	queue_work(system_wq, &srq->limit_work);
}

/*
 * ib_device_ops.modify_srq: arms the limit, 0 disarms it. 0; -EINVAL for a limit over the size;
 * -EOPNOTSUPP for another size. Any context.
 */
int softib_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata)
{
	struct softib_srq *srq = softib_srq(ibsrq);
	unsigned long flags;

	if (mask & ~IB_SRQ_LIMIT)
		return -EOPNOTSUPP;
	if (attr->srq_limit > srq->size)
		return -EINVAL;
	spin_lock_irqsave(&srq->lock, flags);
	srq->limit = attr->srq_limit;
	softib_srq_check_limit(srq);
	spin_unlock_irqrestore(&srq->lock, flags);
	return 0;
}

/* ib_device_ops.query_srq: the limit reads 0 after its event. Any context. */
int softib_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr)
{
	struct softib_srq *srq = softib_srq(ibsrq);

	attr->max_wr = srq->size;
	attr->max_sge = srq->max_sge;
	attr->srq_limit = READ_ONCE(srq->limit);
	return 0;
}

/* A free slot, or -ENOMEM. Caller holds the lock. */
static int softib_srq_find_free(struct softib_srq *srq)
{
	u32 tries = srq->size;

	while (tries--) {
		u32 slot = srq->search;

		srq->search = slot + 1 < srq->size ? slot + 1 : 0;
		/* The poller has read the slot: pairs with softib_cq_retire(). */
		if (smp_load_acquire(&srq->owner[slot]) == SOFTIB_SRQ_FREE)
			return slot;
	}
	return -ENOMEM;
}

/* Fills a free slot and puts it last. 0, -EINVAL or -ENOMEM. Caller holds the lock. */
static int softib_srq_put(struct softib_srq *srq, const struct ib_recv_wr *wr)
{
	int slot;

	if (unlikely(wr->num_sge < 0 || wr->num_sge > srq->max_sge))
		return -EINVAL;
	slot = softib_srq_find_free(srq);
	if (unlikely(slot < 0))
		return slot;
	softib_recv_wqe_set(softib_srq_slot(srq, slot), wr);
	srq->owner[slot] = SOFTIB_SRQ_POSTED;
	srq->order[srq->head++ & srq->mask] = slot;
	return 0;
}

/**
 * softib_post_srq_recv() - ib_device_ops.post_srq_recv
 * @ibsrq:  the queue
 * @wr:     list of requests, copied
 * @bad_wr: the first one that was not taken
 *
 * Any context. Return: 0; -ENOMEM if every slot is posted or its completion not polled; -EINVAL for
 * too many entries.
 */
int softib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad_wr)
{
	struct softib_srq *srq = softib_srq(ibsrq);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&srq->lock, flags);
	for (; wr; wr = wr->next) {
		err = softib_srq_put(srq, wr);
		if (unlikely(err)) {
			*bad_wr = wr;
			break;
		}
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	return err;
}

/* The oldest posted request, now the caller's to fill and complete, or NULL. Any context. */
struct softib_recv_wqe *softib_srq_take(struct softib_srq *srq)
{
	struct softib_recv_wqe *wqe = NULL;
	unsigned long flags;

	spin_lock_irqsave(&srq->lock, flags);
	if (likely(srq->next != srq->head)) {
		wqe = softib_srq_slot(srq, srq->order[srq->next++ & srq->mask]);
		softib_srq_check_limit(srq);
	}
	spin_unlock_irqrestore(&srq->lock, flags);
	return wqe;
}

/* The word that polling the completion of a request sets to SOFTIB_SRQ_FREE. */
u32 *softib_srq_owner(struct softib_srq *srq, const struct softib_recv_wqe *wqe)
{
	return &srq->owner[((const void *)wqe - srq->slots) / srq->stride];
}
