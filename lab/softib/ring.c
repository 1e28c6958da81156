// SPDX-License-Identifier: GPL-2.0-only
/* Posting: copies work requests into queue slots, strictly within the slots that are free. */
#include "ring.h"

#include "cost.h"
#include "counters.h"
#include "device.h"
#include "engine.h"
#include "port.h"
#include "qp.h"
#include "recv.h"
#include "send.h"

static bool softib_queue_full(const struct softib_queue *queue)
{
	/* The poller has read the slot: pairs with softib_poll_cq(). */
	u32 tail = smp_load_acquire(&queue->ring.tail);

	return softib_ring_full(queue->ring.head, tail, queue->ring.size);
}

/* Octets in the list, as many as count: no message is that long. */
static u32 softib_copy_sge(struct ib_sge *to, const struct ib_sge *from, int num_sge)
{
	u64 len = 0;
	int i;

	for (i = 0; i < num_sge; i++) {
		to[i] = from[i];
		len += from[i].length;
	}
	return min_t(u64, len, U32_MAX);
}

/* Fills a receive slot. Caller holds the lock of its queue and has checked wr->num_sge. */
void softib_recv_wqe_set(struct softib_recv_wqe *wqe, const struct ib_recv_wr *wr)
{
	wqe->wc.wr_id = wr->wr_id;
	wqe->num_sge = wr->num_sge;
	wqe->len = softib_copy_sge(wqe->sge, wr->sg_list, wr->num_sge);
	wqe->ended = false;
}

static void softib_wqe_set_datagram(struct softib_send_wqe *wqe, const struct ib_ud_wr *ud)
{
	const struct softib_ah *ah = softib_ah(ud->ah);

	wqe->ah = ah;
	wqe->dest_qpn = ud->remote_qpn;
	wqe->qkey = ud->remote_qkey;
	wqe->pkey_index = ud->pkey_index;
	wqe->av.dlid = ah->av.dlid;
	wqe->av.path_bits = ah->av.path_bits;
	wqe->av.sl = ah->av.sl;
	wqe->av.has_grh = ah->av.has_grh;
	if (ah->av.has_grh)
		wqe->av.grh = ah->av.grh;
}

/* Can softib carry the request? A connection's has no address. */
static bool softib_send_wr_ok(const struct softib_qp *qp, const struct ib_send_wr *wr)
{
	if (unlikely(wr->num_sge < 0 || wr->num_sge > qp->sq.max_sge ||
		     (wr->opcode != IB_WR_SEND && wr->opcode != IB_WR_SEND_WITH_IMM)))
		return false;
	if (unlikely(qp->rc))
		return true;
	return ud_wr(wr)->ah && (qp->ibqp.qp_type != IB_QPT_GSI ||
				 ud_wr(wr)->pkey_index < SOFTIB_PKEYS);
}

/*
 * Fills the next send slot. 0, -EINVAL for a request softib cannot carry, -ENOMEM if no slot is
 * free. SQ lock held.
 */
static int softib_sq_put(struct softib_qp *qp, const struct ib_send_wr *wr)
{
	struct softib_queue *sq = &qp->sq;
	struct softib_send_wqe *wqe;

	if (unlikely(softib_queue_full(sq)))
		return -ENOMEM;
	if (qp->is_data && softib_fault_due(&qp->dev->fault.fail_post_nth))
		return -ENOMEM;
	if (unlikely(!softib_send_wr_ok(qp, wr)))
		return -EINVAL;

	wqe = softib_slot(sq, sq->ring.head);
	wqe->wr_id = wr->wr_id;
	wqe->opcode = wr->opcode;
	wqe->send_flags = wr->send_flags;
	wqe->imm_data = wr->ex.imm_data;
	wqe->num_sge = wr->num_sge;
	wqe->len = softib_copy_sge(wqe->sge, wr->sg_list, wr->num_sge);
	if (likely(!qp->rc))
		softib_wqe_set_datagram(wqe, ud_wr(wr));
	sq->ring.head++;
	return 0;
}

/*
 * In SQD requests are taken and wait, in SQE and ERR they are flushed (IBA 10.3.1). Caller holds
 * the SQ lock.
 */
static bool softib_sq_takes(const struct softib_qp *qp)
{
	return qp->port && qp->state >= IB_QPS_RTS;
}

/**
 * softib_post_send() - ib_device_ops.post_send
 * @ibqp:   the queue pair
 * @wr:     list of requests, copied
 * @bad_wr: the first one that was not taken
 *
 * Any context. Takes the SQ lock to fill slots; sends in this context without it, unless another
 * context is at it already or the HCA has an engine thread.
 *
 * Return: 0; -ENOMEM if the queue is full, that is if no completion polled yet covers its oldest
 * slot; -EINVAL for a state or request that does not allow it.
 */
int softib_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		     const struct ib_send_wr **bad_wr)
{
	struct softib_qp *qp = softib_qp(ibqp);
	struct softib_queue *sq = &qp->sq;
	unsigned int posted = 0;
	unsigned long flags;
	int err = 0;
	bool run;

	spin_lock_irqsave(&sq->lock, flags);
	if (unlikely(!softib_sq_takes(qp)))
		err = -EINVAL;
	for (; wr && !err; wr = wr->next) {
		err = softib_sq_put(qp, wr);
		if (err)
			break;
		posted++;
	}
	run = posted && softib_sq_claim(qp);
	spin_unlock_irqrestore(&sq->lock, flags);

	if (unlikely(err))
		*bad_wr = wr;
	if (posted && qp->is_data) {
		softib_count(qp->port->stats, SOFTIB_TX_WRS, posted);
		softib_count(qp->port->stats, SOFTIB_TX_DOORBELLS, 1);
		if (qp->rc)
			softib_count(qp->port->stats, SOFTIB_RC_WRS, posted);
		softib_cost_charge(READ_ONCE(softib_cost_doorbell_ns), 1);
	}
	if (run)
		softib_engine_run(qp);
	return err;
}

/* Fills the next receive slot. RQ lock held. */
static int softib_rq_put(struct softib_qp *qp, const struct ib_recv_wr *wr)
{
	struct softib_queue *rq = &qp->rq;

	if (unlikely(softib_queue_full(rq)))
		return -ENOMEM;
	if (unlikely(wr->num_sge < 0 || wr->num_sge > rq->max_sge))
		return -EINVAL;

	softib_recv_wqe_set(softib_slot(rq, rq->ring.head), wr);
	rq->ring.head++;
	return 0;
}

/**
 * softib_post_recv() - ib_device_ops.post_recv
 * @ibqp:   the queue pair
 * @wr:     list of requests, copied
 * @bad_wr: the first one that was not taken
 *
 * Any context. Return: as softib_post_send(); allowed from INIT on, in ERR flushed at once.
 */
int softib_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		     const struct ib_recv_wr **bad_wr)
{
	struct softib_qp *qp = softib_qp(ibqp);
	unsigned int posted = 0;
	unsigned long flags;
	int err = 0;
	bool flush;

	spin_lock_irqsave(&qp->rq.lock, flags);
	if (unlikely(qp->state == IB_QPS_RESET || !qp->port || qp->srq))
		err = -EINVAL;
	for (; wr && !err; wr = wr->next) {
		err = softib_rq_put(qp, wr);
		if (err)
			break;
		posted++;
	}
	flush = qp->state == IB_QPS_ERR;
	spin_unlock_irqrestore(&qp->rq.lock, flags);

	if (unlikely(err))
		*bad_wr = wr;
	if (qp->is_data && posted)
		softib_count(qp->port->stats, SOFTIB_RX_WRS, posted);
	if (unlikely(flush))
		softib_rq_flush(qp);
	return err;
}
