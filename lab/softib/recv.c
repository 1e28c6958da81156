// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receives datagrams: IBA's checks, a receive request each, placement without a lock, completions
 * in request order.
 */
#include "recv.h"

#include "cq.h"
#include "device.h"
#include "mr.h"
#include "port.h"
#include "qp.h"
#include "rc.h"
#include "sg.h"
#include "wire.h"

/* Octets in front of every datagram's payload in the receive buffer (IBA 11.4.1.2). */
#define SOFTIB_GRH_OCTETS 40

/*
 * Writes the completion of a request, which frees its slot as softib_cq_push() says. RQ lock held.
 */
void softib_recv_complete(struct softib_qp *qp, const struct softib_recv_wqe *wqe, u32 *retire,
			  u32 upto)
{
	u32 delay_us = qp->is_data ? READ_ONCE(qp->dev->fault.delay_recv_us) : 0;

	if (likely(!softib_cq_push(softib_cq(qp->ibqp.recv_cq), &wqe->wc, retire, upto,
				   wqe->solicited, delay_us)))
		return;
	if (qp->is_data)
		softib_count(qp->port->stats, SOFTIB_CQ_OVERFLOWS, 1);
	softib_qp_raise(qp, IB_EVENT_QP_FATAL);
}

/*
 * Completes the oldest requests that have ended; those behind one still being filled wait for it.
 * RQ lock held.
 */
void softib_rq_complete_ended(struct softib_qp *qp)
{
	struct softib_ring *ring = &qp->rq.ring;

	while (ring->done != ring->next) {
		const struct softib_recv_wqe *wqe = softib_slot(&qp->rq, ring->done);

		if (!wqe->ended)
			break;
		softib_recv_complete(qp, wqe, &ring->tail, ring->done + 1);
		ring->done++;
	}
	if (unlikely(qp->state == IB_QPS_RESET))
		wake_up(&qp->idle);
}

/*
 * Ends every request nobody fills, with a flush error each; those of an SRQ stay there. Any
 * context, no queue lock held; ERR state.
 */
void softib_rq_flush(struct softib_qp *qp)
{
	struct softib_ring *ring = &qp->rq.ring;
	unsigned long flags;

	if (qp->srq) {
		softib_rc_drained(qp);
		return;
	}
	spin_lock_irqsave(&qp->rq.lock, flags);
	while (qp->state == IB_QPS_ERR && ring->next != ring->head) {
		struct softib_recv_wqe *wqe = softib_slot(&qp->rq, ring->next);
		u64 wr_id = wqe->wc.wr_id;

		wqe->wc = (struct ib_wc){
			.wr_id = wr_id,
			.status = IB_WC_WR_FLUSH_ERR,
			.opcode = IB_WC_RECV,
			.qp = &qp->ibqp,
		};
		wqe->solicited = false;
		wqe->ended = true;
		ring->next++;
	}
	softib_rq_complete_ended(qp);
	spin_unlock_irqrestore(&qp->rq.lock, flags);
}

/*
 * Which P_Key table entry lets the packet in (IBA 10.9.3)? -1 if none. QP1 takes any of the port's.
 */
static int softib_recv_pkey_index(const struct softib_qp *qp, const struct softib_pkt *pkt)
{
	int i;

	if (likely(qp->is_data)) {
		i = READ_ONCE(qp->pkey_index);
		return softib_pkey_match(pkt->pkey, READ_ONCE(qp->port->pkeys[i])) ? i : -1;
	}
	for (i = 0; i < SOFTIB_PKEYS; i++)
		if (softib_pkey_match(pkt->pkey, READ_ONCE(qp->port->pkeys[i])))
			return i;
	return -1;
}

/*
 * Lets the packet in and finds its P_Key index, or says why not. QP0 has neither P_Key nor Q_Key
 * (IBA 9.6.1.5).
 */
static enum softib_counter softib_recv_admit(struct softib_qp *qp, const struct softib_pkt *pkt,
					     u16 *pkey_index)
{
	int index;

	*pkey_index = 0;
	if (qp->ibqp.qp_type == IB_QPT_SMI)
		return SOFTIB_RX_DELIVERED;
	index = softib_recv_pkey_index(qp, pkt);
	if (unlikely(index < 0)) {
		softib_trap_bad_key(qp->port, SOFTIB_TRAP_BAD_PKEY, pkt);
		return SOFTIB_DROP_PKEY;
	}
	if (unlikely(pkt->qkey != READ_ONCE(qp->qkey))) {
		softib_trap_bad_key(qp->port, SOFTIB_TRAP_BAD_QKEY, pkt);
		return SOFTIB_DROP_QKEY;
	}
	*pkey_index = index;
	return SOFTIB_RX_DELIVERED;
}

/* May a queue pair in this state receive? (IBA 10.3.1; SQD, SQE concern the send queue alone.) */
static bool softib_recv_state_ok(enum ib_qp_state state)
{
	return state >= IB_QPS_RTR && state <= IB_QPS_SQE;
}

/* Takes the next receive request into *@wqe, or says why not. */
static enum softib_counter softib_recv_take(struct softib_qp *qp, u32 octets,
					    struct softib_recv_wqe **wqe)
{
	struct softib_ring *ring = &qp->rq.ring;
	enum softib_counter fate = SOFTIB_RX_DELIVERED;
	unsigned long flags;

	spin_lock_irqsave(&qp->rq.lock, flags);
	*wqe = softib_slot(&qp->rq, ring->next);
	if (unlikely(!softib_recv_state_ok(qp->state)))
		fate = SOFTIB_DROP_QP_STATE;
	else if (unlikely(ring->next == ring->head))
		fate = SOFTIB_DROP_NO_RECEIVE_WR;
	else if (unlikely((*wqe)->len < octets))
		fate = SOFTIB_DROP_LENGTH;
	else
		ring->next++;
	spin_unlock_irqrestore(&qp->rq.lock, flags);
	return fate;
}

/* Do all local keys of the request name memory it may use? */
bool softib_recv_keys_ok(const struct softib_recv_wqe *wqe)
{
	u32 i;

	for (i = 0; i < wqe->num_sge; i++)
		if (unlikely(!softib_lkey_ok(wqe->sge[i].lkey)))
			return false;
	return true;
}

static void softib_recv_place(const struct softib_recv_wqe *wqe, const struct softib_pkt *pkt)
{
	if (pkt->av->has_grh) {
		struct ib_grh grh = pkt->av->grh;

		grh.paylen = cpu_to_be16(softib_pkt_grh_paylen(pkt));
		softib_sg_write(wqe->sge, wqe->num_sge, 0, &grh, sizeof(grh));
	}
	softib_sg_copy(wqe->sge, wqe->num_sge, SOFTIB_GRH_OCTETS, pkt->sge, pkt->num_sge);
}

static void softib_recv_fill_wc(struct softib_qp *qp, struct softib_recv_wqe *wqe,
				const struct softib_pkt *pkt, u16 pkey_index)
{
	struct ib_wc *wc = &wqe->wc;

	wc->status = IB_WC_SUCCESS;
	wc->opcode = IB_WC_RECV;
	wc->vendor_err = 0;
	wc->byte_len = pkt->len + SOFTIB_GRH_OCTETS;
	wc->qp = &qp->ibqp;
	wc->ex.imm_data = pkt->imm_data;
	wc->src_qp = pkt->src_qpn;
	wc->slid = pkt->slid;
	wc->wc_flags = (pkt->av->has_grh ? IB_WC_GRH : 0) | (pkt->has_imm ? IB_WC_WITH_IMM : 0);
	wc->pkey_index = pkey_index;
	wc->sl = pkt->av->sl;
	wc->dlid_path_bits = pkt->multicast ? 0 : pkt->av->dlid & ((1 << qp->port->lmc) - 1);
	wc->port_num = qp->port->num;
	wqe->solicited = pkt->solicited;
}

/**
 * softib_recv() - receive one datagram, or message of a connection
 * @qp:  the destination
 * @pkt: the datagram; its payload is copied once, from the sender's buffers to the receiver's
 *
 * Under rcu_read_lock(), any context; the payload is copied without a lock.
 *
 * Return: SOFTIB_TX_DELIVERED, or the drop to count.
 */
enum softib_counter softib_recv(struct softib_qp *qp, const struct softib_pkt *pkt)
{
	struct softib_recv_wqe *wqe;
	enum softib_counter fate;
	unsigned long flags;
	u16 pkey_index;
	bool keys_ok;

	if (unlikely(qp->rc || pkt->rc))
		return softib_rc_recv(qp, pkt);
	if (unlikely(!qp->port))
		return SOFTIB_DROP_QP_STATE;
	fate = softib_recv_admit(qp, pkt, &pkey_index);
	if (unlikely(fate != SOFTIB_RX_DELIVERED))
		return fate;
	fate = softib_recv_take(qp, pkt->len + SOFTIB_GRH_OCTETS, &wqe);
	if (unlikely(fate != SOFTIB_RX_DELIVERED))
		return fate;

	softib_recv_fill_wc(qp, wqe, pkt, pkey_index);
	keys_ok = softib_recv_keys_ok(wqe);
	if (likely(keys_ok))
		softib_recv_place(wqe, pkt);
	else
		wqe->wc.status = IB_WC_LOC_PROT_ERR;

	spin_lock_irqsave(&qp->rq.lock, flags);
	wqe->ended = true;
	softib_rq_complete_ended(qp);
	spin_unlock_irqrestore(&qp->rq.lock, flags);
	if (unlikely(!keys_ok)) {
		softib_qp_break(qp);
		return SOFTIB_DROP_RECEIVE_FAULT;
	}
	if (qp->is_data)
		softib_count(qp->port->stats, SOFTIB_RX_DELIVERED, 1);
	return SOFTIB_TX_DELIVERED;
}
