// SPDX-License-Identifier: GPL-2.0-only
/* Queue pair numbers, creation, destruction and query. */
#include "qp.h"

#include "cq.h"
#include "device.h"
#include "port.h"
#include "rc.h"
#include "send.h"
#include "srq.h"

#include <linux/log2.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#define SOFTIB_QPN_SLOT_BITS 12
#define SOFTIB_QPN_MASK 0xffffff
#define SOFTIB_QPN_FIRST_SLOT 2

/**
 * struct softib_qp_table - an HCA's queue pairs by number
 * @lock:       guards changes, and readers that are not in an RCU section
 * @next_slot:  where the search for a free slot starts
 * @generation: upper bits of a slot's next number, so that a stale number finds nobody for a long
 *              time
 * @slot:       the queue pairs; RCU readers
 *
 * A number is generation and slot; QP0 and QP1 are per port and not in here.
 */
struct softib_qp_table {
	spinlock_t lock; /* see above */
	u32 next_slot;
	u16 generation[SOFTIB_MAX_QPS];
	struct softib_qp __rcu *slot[SOFTIB_MAX_QPS];
};

/* 0 or -ENOMEM. May sleep. */
int softib_qp_table_alloc(struct softib_dev *dev)
{
	BUILD_BUG_ON(SOFTIB_MAX_QPS != 1 << SOFTIB_QPN_SLOT_BITS);

	dev->qps = kvzalloc(sizeof(*dev->qps), GFP_KERNEL);
	if (!dev->qps)
		return -ENOMEM;
	spin_lock_init(&dev->qps->lock);
	dev->qps->next_slot = SOFTIB_QPN_FIRST_SLOT;
	return 0;
}

void softib_qp_table_free(struct softib_dev *dev)
{
	kvfree(dev->qps);
}

/* The queue pair with that number, or NULL; under rcu_read_lock(). Not for QP0 and QP1. */
struct softib_qp *softib_qp_find(struct softib_dev *dev, u32 qpn)
{
	struct softib_qp *qp = rcu_dereference(dev->qps->slot[qpn & (SOFTIB_MAX_QPS - 1)]);

	if (unlikely(!qp || qp->ibqp.qp_num != qpn))
		return NULL;
	return qp;
}

static int softib_qp_table_add(struct softib_qp *qp)
{
	struct softib_qp_table *table = qp->dev->qps;
	int tries = SOFTIB_MAX_QPS, err = -ENOMEM;

	spin_lock_irq(&table->lock);
	while (tries--) {
		u32 slot = table->next_slot;

		table->next_slot = slot + 1 < SOFTIB_MAX_QPS ? slot + 1 : SOFTIB_QPN_FIRST_SLOT;
		if (rcu_access_pointer(table->slot[slot]))
			continue;
		qp->ibqp.qp_num = (table->generation[slot]++ << SOFTIB_QPN_SLOT_BITS | slot) &
				  SOFTIB_QPN_MASK;
		rcu_assign_pointer(table->slot[slot], qp);
		err = 0;
		break;
	}
	spin_unlock_irq(&table->lock);
	return err;
}

static int softib_qp_special_add(struct softib_qp *qp)
{
	struct softib_qp_table *table = qp->dev->qps;
	u32 qpn = qp->ibqp.qp_type == IB_QPT_SMI ? 0 : 1;
	int err = 0;

	qp->ibqp.qp_num = qpn;
	spin_lock_irq(&table->lock);
	if (rcu_access_pointer(qp->port->special[qpn]))
		err = -EBUSY;
	else
		rcu_assign_pointer(qp->port->special[qpn], qp);
	spin_unlock_irq(&table->lock);
	return err;
}

static void softib_qp_unlist(struct softib_qp *qp)
{
	struct softib_qp_table *table = qp->dev->qps;
	u32 qpn = qp->ibqp.qp_num;

	spin_lock_irq(&table->lock);
	if (qp->is_data)
		RCU_INIT_POINTER(table->slot[qpn & (SOFTIB_MAX_QPS - 1)], NULL);
	else
		RCU_INIT_POINTER(qp->port->special[qpn], NULL);
	spin_unlock_irq(&table->lock);
}

static int softib_queue_alloc(struct softib_queue *queue, u32 size, u32 max_sge, u32 stride)
{
	u32 slots;

	queue->max_sge = max_sge;
	queue->ring.size = size;
	queue->stride = stride;
	if (!size)
		return 0;
	slots = roundup_pow_of_two(size);
	queue->ring.mask = slots - 1;
	queue->slots = kvcalloc(slots, queue->stride, GFP_KERNEL);
	return queue->slots ? 0 : -ENOMEM;
}

static int softib_qp_check_init(struct softib_dev *dev, const struct ib_qp_init_attr *attr)
{
	if (attr->create_flags & ~IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK)
		return -EOPNOTSUPP;
	switch (attr->qp_type) {
	case IB_QPT_SMI:
	case IB_QPT_GSI:
		if (!softib_port_get(dev, attr->port_num))
			return -EINVAL;
		break;
	case IB_QPT_UD:
	case IB_QPT_RC:
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (attr->srq && attr->qp_type != IB_QPT_RC)
		return -EOPNOTSUPP;
	if (attr->cap.max_send_wr > SOFTIB_MAX_WR || attr->cap.max_recv_wr > SOFTIB_MAX_WR ||
	    attr->cap.max_send_sge > SOFTIB_MAX_SGE || attr->cap.max_recv_sge > SOFTIB_MAX_SGE ||
	    attr->cap.max_inline_data)
		return -EINVAL;
	return 0;
}

static void softib_qp_init(struct softib_qp *qp, struct softib_dev *dev,
			   const struct ib_qp_init_attr *attr)
{
	qp->dev = dev;
	qp->state = IB_QPS_RESET;
	qp->is_data = attr->qp_type != IB_QPT_SMI && attr->qp_type != IB_QPT_GSI;
	qp->signal_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->block_loopback = attr->create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	qp->srq = attr->srq ? softib_srq(attr->srq) : NULL;
	qp->init_attr = *attr;
	if (!qp->is_data)
		qp->port = softib_port_get(dev, attr->port_num);
	init_waitqueue_head(&qp->idle);
	mutex_init(&qp->modify);
	softib_qp_events_init(qp);
}

/* 0, or -ENOMEM with what was allocated left to softib_qp_free(). */
static int softib_qp_alloc(struct softib_qp *qp, const struct ib_qp_init_attr *attr)
{
	const struct ib_qp_cap *cap = &attr->cap;
	u32 stride = ALIGN(struct_size_t(struct softib_send_wqe, sge, cap->max_send_sge), 8);
	int err;

	/* Not in softib_queue_alloc(): lockdep needs two classes, the send queue's is outer. */
	spin_lock_init(&qp->sq.lock);
	spin_lock_init(&qp->rq.lock);
	err = softib_queue_alloc(&qp->sq, cap->max_send_wr, cap->max_send_sge, stride);
	if (err)
		return err;
	err = softib_queue_alloc(&qp->rq, attr->srq ? 0 : cap->max_recv_wr, cap->max_recv_sge,
				 softib_recv_stride(cap->max_recv_sge));
	if (err)
		return err;
	return attr->qp_type == IB_QPT_RC ? softib_rc_alloc(qp) : 0;
}

/* Nobody finds the queue pair, and it is at rest. May sleep. */
static void softib_qp_free(struct softib_qp *qp)
{
	softib_rc_free(qp);
	kvfree(qp->rq.slots);
	kvfree(qp->sq.slots);
}

/**
 * softib_create_qp() - ib_device_ops.create_qp
 * @ibqp:  zeroed, allocated by ib_core
 * @attr:  UD, RC, SMI or GSI; queue sizes are kept exactly
 * @udata: NULL
 *
 * Return: 0, -EOPNOTSUPP for what softib does not model, -EINVAL for sizes over the device's,
 * -EBUSY for a second QP0 or QP1, -ENOMEM. May sleep.
 */
int softib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct softib_dev *dev = softib_dev(ibqp->device);
	struct softib_qp *qp = softib_qp(ibqp);
	int err;

	err = softib_qp_check_init(dev, attr);
	if (err)
		return err;
	softib_qp_init(qp, dev, attr);
	err = softib_qp_alloc(qp, attr);
	if (!err)
		err = qp->is_data ? softib_qp_table_add(qp) : softib_qp_special_add(qp);
	if (err)
		softib_qp_free(qp);
	return err;
}

/*
 * ib_device_ops.destroy_qp: nobody finds the queue pair any more, then whoever still works on its
 * queues ends, then its unpolled completions go. The send and receive CQs may outlive it. May
 * sleep.
 */
int softib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct softib_qp *qp = softib_qp(ibqp);

	softib_qp_unlist(qp);
	synchronize_rcu();
	softib_qp_quiesce(qp);
	softib_qp_events_cancel(qp);
	softib_cq_clean(softib_cq(ibqp->send_cq), ibqp);
	softib_cq_clean(softib_cq(ibqp->recv_cq), ibqp);
	softib_qp_free(qp);
	return 0;
}

/* ib_device_ops.query_qp */
int softib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init_attr)
{
	struct softib_qp *qp = softib_qp(ibqp);

	mutex_lock(&qp->modify);
	*attr = qp->attr;
	attr->qp_state = READ_ONCE(qp->state);
	attr->cur_qp_state = attr->qp_state;
	attr->qkey = qp->qkey;
	attr->pkey_index = qp->pkey_index;
	attr->port_num = qp->port ? qp->port->num : 0;
	attr->cap = qp->init_attr.cap;
	if (qp->rc)
		softib_rc_query(qp, attr);
	*init_attr = qp->init_attr;
	mutex_unlock(&qp->modify);
	return 0;
}

static bool softib_sq_names_ah(struct softib_qp *qp, const struct softib_ah *ah)
{
	bool found = false;
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&qp->sq.lock, flags);
	/* Pairs with softib_poll_cq(). */
	for (i = smp_load_acquire(&qp->sq.ring.tail); i != qp->sq.ring.head && !found; i++)
		found = ((struct softib_send_wqe *)softib_slot(&qp->sq, i))->ah == ah;
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return found;
}

/*
 * Counts, at the queue pair's port, that @ah goes while a work request that is not complete yet
 * names it. Any context.
 */
void softib_qps_check_ah(struct softib_dev *dev, const struct softib_ah *ah)
{
	u32 i;

	rcu_read_lock();
	for (i = SOFTIB_QPN_FIRST_SLOT; i < SOFTIB_MAX_QPS; i++) {
		struct softib_qp *qp = rcu_dereference(dev->qps->slot[i]);

		if (qp && qp->port && softib_sq_names_ah(qp, ah))
			softib_count(qp->port->stats, SOFTIB_AH_DESTROYED_IN_USE, 1);
	}
	rcu_read_unlock();
}

/* Lets every send queue go on for a while. True if one has more to do. Any context. */
static bool softib_qps_kick_some(struct softib_dev *dev)
{
	bool more = false;
	u32 i;

	rcu_read_lock();
	for (i = SOFTIB_QPN_FIRST_SLOT; i < SOFTIB_MAX_QPS; i++) {
		struct softib_qp *qp = rcu_dereference(dev->qps->slot[i]);

		if (qp && softib_sq_kick_some(qp))
			more = true;
	}
	rcu_read_unlock();
	return more;
}

/* Lets every send queue go on that has something to do. May sleep. */
void softib_qps_kick(struct softib_dev *dev)
{
	while (softib_qps_kick_some(dev))
		softib_sq_pause();
}

static void softib_qp_show(struct softib_qp *qp, struct seq_file *file)
{
	static const char *const types[] = {
		[IB_QPT_SMI] = "SMI", [IB_QPT_GSI] = "GSI", [IB_QPT_RC] = "RC", [IB_QPT_UD] = "UD"
	};
	static const char *const states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };
	struct softib_ring sq, rq;

	spin_lock_irq(&qp->sq.lock);
	sq = qp->sq.ring;
	spin_unlock_irq(&qp->sq.lock);
	spin_lock_irq(&qp->rq.lock);
	rq = qp->rq.ring;
	spin_unlock_irq(&qp->rq.lock);
	seq_printf(file, "0x%06x %-4s %-5s %7u %14u %7u %9u\n", qp->ibqp.qp_num,
		   types[qp->ibqp.qp_type], states[READ_ONCE(qp->state)], sq.size,
		   softib_ring_used(sq.head, sq.tail), rq.size, rq.head - rq.next);
}

/*
 * The table of the debugfs file "qps"; sq_outstanding counts slots that no polled completion freed.
 * May sleep.
 */
void softib_qps_show(struct softib_dev *dev, struct seq_file *file)
{
	u32 i, special;

	seq_puts(file, "qpn      type state sq_size sq_outstanding rq_size rq_posted\n");
	rcu_read_lock();
	for (i = 0; i < dev->ibdev.phys_port_cnt; i++) {
		for (special = 0; special < 2; special++) {
			struct softib_qp *qp = rcu_dereference(dev->ports[i].special[special]);

			if (qp)
				softib_qp_show(qp, file);
		}
	}
	for (i = SOFTIB_QPN_FIRST_SLOT; i < SOFTIB_MAX_QPS; i++) {
		struct softib_qp *qp = rcu_dereference(dev->qps->slot[i]);

		if (qp)
			softib_qp_show(qp, file);
	}
	rcu_read_unlock();
}
