// SPDX-License-Identifier: GPL-2.0-only
/* Queue pair states (IBA volume 1, section 10.3.1) and what entering one does to the queues. */
#include "qp.h"

#include "cq.h"
#include "device.h"
#include "port.h"
#include "rc.h"
#include "recv.h"
#include "send.h"

static bool softib_sq_idle(struct softib_qp *qp)
{
	bool idle;

	spin_lock_irq(&qp->sq.lock);
	idle = !qp->sq.busy;
	spin_unlock_irq(&qp->sq.lock);
	return idle;
}

static bool softib_rq_idle(struct softib_qp *qp)
{
	bool idle;

	spin_lock_irq(&qp->rq.lock);
	idle = qp->rq.ring.done == qp->rq.ring.next;
	spin_unlock_irq(&qp->rq.lock);
	return idle;
}

static bool softib_qp_may_enter(const struct softib_qp *qp, enum ib_qp_state from,
				enum ib_qp_state to)
{
	if (to == IB_QPS_RESET)
		return true;
	if (to == IB_QPS_ERR)
		return qp->state != IB_QPS_RESET;
	return qp->state == from;
}

/*
 * RESET can be entered from any state, ERR from any but RESET, others from @from alone: an error
 * of the send queue meanwhile is not undone. False if @to cannot be entered. Any context, no queue
 * lock held.
 */
static bool softib_qp_enter(struct softib_qp *qp, enum ib_qp_state from, enum ib_qp_state to)
{
	unsigned long flags;
	bool entered;

	spin_lock_irqsave(&qp->sq.lock, flags);
	spin_lock(&qp->rq.lock);
	entered = softib_qp_may_enter(qp, from, to);
	if (entered)
		WRITE_ONCE(qp->state, to);
	spin_unlock(&qp->rq.lock);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return entered;
}

/*
 * Stops both queues, completing nothing, and waits until nobody works on them; sends not processed
 * yet never are. May sleep.
 */
void softib_qp_quiesce(struct softib_qp *qp)
{
	softib_qp_enter(qp, READ_ONCE(qp->state), IB_QPS_RESET);
	if (qp->rc)
		softib_rc_resume(qp);
	wait_event(qp->idle, softib_sq_idle(qp));
	wait_event(qp->idle, softib_rq_idle(qp));
	if (qp->is_data && qp->port)
		softib_count(qp->port->stats, SOFTIB_TX_DISCARDED,
			     qp->sq.ring.head - qp->sq.ring.done);
}

static void softib_ring_reset(struct softib_ring *ring)
{
	ring->head = 0;
	ring->next = 0;
	ring->done = 0;
	ring->tail = 0;
}

/*
 * RESET: both queues are emptied without completions, and those not polled yet vanish. May sleep.
 */
static void softib_qp_reset(struct softib_qp *qp)
{
	softib_qp_quiesce(qp);
	softib_cq_clean(softib_cq(qp->ibqp.send_cq), &qp->ibqp);
	softib_cq_clean(softib_cq(qp->ibqp.recv_cq), &qp->ibqp);

	spin_lock_irq(&qp->sq.lock);
	softib_ring_reset(&qp->sq.ring);
	spin_unlock_irq(&qp->sq.lock);
	spin_lock_irq(&qp->rq.lock);
	softib_ring_reset(&qp->rq.ring);
	spin_unlock_irq(&qp->rq.lock);
	if (qp->rc)
		softib_rc_reset(qp);
}

/* What the queues do because the state is now ERR. No queue lock held. */
static void softib_qp_flush(struct softib_qp *qp)
{
	softib_rq_flush(qp);
	if (qp->rc)
		softib_rc_resume(qp);
	softib_sq_kick(qp);
}

/*
 * From state @from to another one than RESET: ERR flushes both queues, each request with a
 * completion; RTS resumes the send queue; SQD lets it come to rest. 0, or -EINVAL if the state is
 * no longer @from. ERR: any context, others may sleep. No queue lock held.
 */
static int softib_qp_move(struct softib_qp *qp, enum ib_qp_state from, enum ib_qp_state to)
{
	if (!softib_qp_enter(qp, from, to))
		return -EINVAL;
	if (to == IB_QPS_ERR)
		softib_qp_flush(qp);
	else if (to == IB_QPS_RTS)
		softib_sq_resume(qp);
	else if (to == IB_QPS_SQD)
		softib_sq_drain(qp);
	return 0;
}

/*
 * An error takes the queue pair to ERR, unless it is being reset. Any context, no queue lock held.
 */
void softib_qp_break(struct softib_qp *qp)
{
	softib_qp_move(qp, READ_ONCE(qp->state), IB_QPS_ERR);
}

static int softib_qp_check_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_PORT) && !softib_port_get(qp->dev, attr->port_num))
		return -EINVAL;
	if ((mask & IB_QP_PKEY_INDEX) && attr->pkey_index >= SOFTIB_PKEYS)
		return -EINVAL;
	return qp->rc ? softib_rc_check_attr(qp, attr, mask) : 0;
}

static void softib_qp_take_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (mask & IB_QP_PORT)
		qp->port = softib_port_get(qp->dev, attr->port_num);
	if (mask & IB_QP_PKEY_INDEX)
		WRITE_ONCE(qp->pkey_index, attr->pkey_index);
	if (mask & IB_QP_QKEY)
		WRITE_ONCE(qp->qkey, attr->qkey);
	if (mask & IB_QP_SQ_PSN)
		qp->attr.sq_psn = attr->sq_psn;
	if (mask & IB_QP_EN_SQD_ASYNC_NOTIFY)
		qp->sqd_notify = attr->en_sqd_async_notify;
	if (qp->rc)
		softib_rc_take_attr(qp, attr, mask);
}

/**
 * softib_modify_qp() - ib_device_ops.modify_qp
 * @ibqp:  the queue pair
 * @attr:  new attributes
 * @mask:  which of them, enum ib_qp_attr_mask
 * @udata: NULL
 *
 * Return: 0; -EINVAL for a transition or attribute IBA table 91 does not allow, values the port has
 * not, a change in SQD while the send queue drains, or an error meanwhile (the state is then the
 * error's); -EOPNOTSUPP for what softib does not model. May sleep.
 */
int softib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct softib_qp *qp = softib_qp(ibqp);
	enum ib_qp_state from, to;
	int err = -EINVAL;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;

	mutex_lock(&qp->modify);
	from = mask & IB_QP_CUR_STATE ? attr->cur_qp_state : READ_ONCE(qp->state);
	to = mask & IB_QP_STATE ? attr->qp_state : from;
	if (from != READ_ONCE(qp->state) || !ib_modify_qp_is_ok(from, to, ibqp->qp_type, mask))
		goto unlock;
	if (from == IB_QPS_SQD && to == IB_QPS_SQD && !softib_sq_idle(qp))
		goto unlock;
	err = softib_qp_check_attr(qp, attr, mask);
	if (err)
		goto unlock;
	softib_qp_take_attr(qp, attr, mask);
	if ((mask & IB_QP_STATE) && to == IB_QPS_RESET)
		softib_qp_reset(qp);
	else if (mask & IB_QP_STATE)
		err = softib_qp_move(qp, from, to);
unlock:
	mutex_unlock(&qp->modify);
	return err;
}
