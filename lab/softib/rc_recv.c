// SPDX-License-Identifier: GPL-2.0-only
/*
 * The responder of a reliable connection (IBA volume 1, section 9.7): takes each message once and
 * in order, or answers why not.
 */
#include "rc.h"

#include "cq.h"
#include "device.h"
#include "port.h"
#include "qp.h"
#include "recv.h"
#include "sg.h"
#include "srq.h"
#include "wire.h"

/*
 * Tells, once, that a queue pair in error takes nothing from its SRQ any more. RQ lock held.
 */
static void softib_rc_check_drained(struct softib_qp *qp)
{
	if (qp->state != IB_QPS_ERR || qp->rq.ring.done != qp->rq.ring.next || qp->rc->drained)
		return;
	qp->rc->drained = true;
	softib_qp_raise(qp, IB_EVENT_QP_LAST_WQE_REACHED);
}

/* A queue pair with an SRQ entered ERR. Any context, no queue lock held. */
void softib_rc_drained(struct softib_qp *qp)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->rq.lock, flags);
	softib_rc_check_drained(qp);
	spin_unlock_irqrestore(&qp->rq.lock, flags);
}

/* Is it the peer's next packet (IBA 9.6.1.1, 9.7.4.1)? Nothing else is answered. RQ lock held. */
static bool softib_rc_expects(const struct softib_qp *qp, const struct softib_pkt *pkt)
{
	if (qp->state != IB_QPS_RTR && qp->state != IB_QPS_RTS && qp->state != IB_QPS_SQD)
		return false;
	return pkt->slid == qp->rc->av.dlid && pkt->rc->psn == qp->rc->rq_psn &&
	       pkt->src_qpn == qp->attr.dest_qp_num;
}

/*
 * The next receive request, of the SRQ if there is one, or NULL. The receive ring counts those of
 * an SRQ as its own while they are filled. RQ lock held.
 */
static struct softib_recv_wqe *softib_rc_next_wqe(struct softib_qp *qp)
{
	struct softib_ring *ring = &qp->rq.ring;
	struct softib_recv_wqe *wqe;

	if (qp->srq) {
		wqe = softib_srq_take(qp->srq);
		if (wqe)
			ring->head++;
	} else {
		wqe = ring->next != ring->head ? softib_slot(&qp->rq, ring->next) : NULL;
	}
	if (wqe)
		ring->next++;
	return wqe;
}

/* Takes a receive request for the message into *@wqe, or says how to answer. */
static enum softib_counter softib_rc_take(struct softib_qp *qp, const struct softib_pkt *pkt,
					  struct softib_recv_wqe **wqe)
{
	enum softib_counter fate = SOFTIB_TX_DELIVERED;
	struct softib_rc *rc = qp->rc;
	unsigned long flags;

	spin_lock_irqsave(&qp->rq.lock, flags);
	if (unlikely(!softib_rc_expects(qp, pkt))) {
		fate = SOFTIB_DROP_QP_STATE;
		goto unlock;
	}
	if (unlikely(qp->state == IB_QPS_RTR && !rc->established)) {
		rc->established = true;
		softib_qp_raise(qp, IB_EVENT_COMM_EST);
	}
	*wqe = softib_rc_next_wqe(qp);
	if (likely(*wqe)) {
		rc->rq_psn = (rc->rq_psn + pkt->rc->packets) & SOFTIB_PSN_MASK;
	} else {
		pkt->rc->rnr_timer = qp->attr.min_rnr_timer;
		fate = SOFTIB_DROP_NO_RECEIVE_WR;
	}
unlock:
	spin_unlock_irqrestore(&qp->rq.lock, flags);
	return fate;
}

/* Places the message. SOFTIB_TX_DELIVERED, or how to answer and, in @wc, what to tell here. */
static enum softib_counter softib_rc_place(const struct softib_recv_wqe *wqe,
					   const struct softib_pkt *pkt, struct ib_wc *wc)
{
	if (unlikely(wqe->len < pkt->len)) {
		wc->status = IB_WC_LOC_LEN_ERR;
		return SOFTIB_DROP_LENGTH;
	}
	if (unlikely(!softib_recv_keys_ok(wqe))) {
		wc->status = IB_WC_LOC_PROT_ERR;
		return SOFTIB_DROP_RECEIVE_FAULT;
	}
	softib_sg_copy(wqe->sge, wqe->num_sge, 0, pkt->sge, pkt->num_sge);
	return SOFTIB_TX_DELIVERED;
}

static void softib_rc_fill_wc(struct softib_qp *qp, struct ib_wc *wc, const struct softib_pkt *pkt)
{
	u64 wr_id = wc->wr_id;

	*wc = (struct ib_wc){
		.wr_id = wr_id,
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = pkt->len,
		.qp = &qp->ibqp,
		.ex.imm_data = pkt->imm_data,
		.src_qp = qp->attr.dest_qp_num,
		.slid = pkt->slid,
		.wc_flags = pkt->has_imm ? IB_WC_WITH_IMM : 0,
		.sl = pkt->av->sl,
		.port_num = qp->port->num,
	};
}

/* Completes a receive request that was taken. */
static void softib_rc_complete(struct softib_qp *qp, struct softib_recv_wqe *wqe)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->rq.lock, flags);
	wqe->ended = true;
	if (qp->srq) {
		softib_recv_complete(qp, wqe, softib_srq_owner(qp->srq, wqe), SOFTIB_SRQ_FREE);
		qp->rq.ring.done++;
		softib_rc_check_drained(qp);
		if (unlikely(qp->state == IB_QPS_RESET))
			wake_up(&qp->idle);
	} else {
		softib_rq_complete_ended(qp);
	}
	spin_unlock_irqrestore(&qp->rq.lock, flags);
}

/**
 * softib_rc_recv() - receive one message of a connection
 * @qp:  the destination
 * @pkt: the message; its payload is copied once, from the sender's buffers to the receiver's
 *
 * Under rcu_read_lock(), any context; the payload is copied without a lock. A datagram sent to a
 * connection, or the other way round, finds nobody.
 *
 * Return: SOFTIB_TX_DELIVERED to acknowledge it; SOFTIB_DROP_NO_RECEIVE_WR, _LENGTH and
 * _RECEIVE_FAULT are negative acknowledgements; any other value is no answer.
 */
enum softib_counter softib_rc_recv(struct softib_qp *qp, const struct softib_pkt *pkt)
{
	struct softib_recv_wqe *wqe;
	enum softib_counter fate;

	if (!qp->rc || !pkt->rc)
		return SOFTIB_DROP_NO_DEST;
	if (unlikely(!qp->port))
		return SOFTIB_DROP_QP_STATE;
	if (unlikely(!softib_pkey_match(pkt->pkey, READ_ONCE(qp->port->pkeys[qp->pkey_index])))) {
		softib_trap_bad_key(qp->port, SOFTIB_TRAP_BAD_PKEY, pkt);
		return SOFTIB_DROP_PKEY;
	}
	fate = softib_rc_take(qp, pkt, &wqe);
	if (unlikely(fate != SOFTIB_TX_DELIVERED))
		return fate;

	softib_rc_fill_wc(qp, &wqe->wc, pkt);
	wqe->solicited = pkt->solicited;
	fate = softib_rc_place(wqe, pkt, &wqe->wc);
	if (unlikely(fate != SOFTIB_TX_DELIVERED))
		softib_qp_break(qp);
	else
		softib_count(qp->port->stats, SOFTIB_RX_DELIVERED, 1);
	softib_rc_complete(qp, wqe);
	return fate;
}
