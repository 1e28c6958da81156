// SPDX-License-Identifier: GPL-2.0-only
/*
 * The send engine: whoever marks a send queue busy processes it until it is empty, holding no lock
 * meanwhile.
 */
#include "send.h"

#include "cq.h"
#include "device.h"
#include "engine.h"
#include "mr.h"
#include "port.h"
#include "qp.h"
#include "rc.h"
#include "wire.h"

#define SOFTIB_QKEY_OF_QP 0x80000000
/* What somebody who is no consumer of a send queue does for it at a time. */
#define SOFTIB_KICK_WRS 256

/* What a data request came to, for the counters. */
static void softib_send_count(struct softib_qp *qp, enum softib_counter fate)
{
	if (qp->is_data)
		softib_count(qp->port->stats, fate, 1);
}

/* Do all local keys of the request name memory it may use? */
bool softib_send_keys_ok(const struct softib_send_wqe *wqe)
{
	u32 i;

	for (i = 0; i < wqe->num_sge; i++)
		if (unlikely(!softib_lkey_ok(wqe->sge[i].lkey)))
			return false;
	return true;
}

static u16 softib_send_pkey(struct softib_qp *qp, const struct softib_send_wqe *wqe)
{
	u16 index = qp->ibqp.qp_type == IB_QPT_GSI ? wqe->pkey_index : READ_ONCE(qp->pkey_index);

	return READ_ONCE(qp->port->pkeys[index]);
}

/* The source LID of a packet to that address. */
u16 softib_send_slid(const struct softib_port *port, const struct softib_av *av)
{
	if (unlikely(av->dlid == SOFTIB_LID_PERMISSIVE))
		return SOFTIB_LID_PERMISSIVE;
	return READ_ONCE(port->lid) | av->path_bits;
}

/* Sends one datagram. A dropped one is a success too: nobody tells the sender (IBA 9.8.3). */
static enum ib_wc_status softib_send_datagram(struct softib_qp *qp,
					      const struct softib_send_wqe *wqe)
{
	struct softib_port *port = qp->port;
	struct softib_pkt pkt;

	if (unlikely(wqe->len > softib_port_mtu(port)))
		return IB_WC_LOC_LEN_ERR;
	if (unlikely(!softib_send_keys_ok(wqe)))
		return IB_WC_LOC_PROT_ERR;
	if (qp->is_data && softib_fault_due(&qp->dev->fault.fail_send_nth))
		return IB_WC_LOC_QP_OP_ERR;

	pkt.src_qp = qp;
	pkt.src_qpn = qp->ibqp.qp_num;
	pkt.rc = NULL;
	pkt.av = &wqe->av;
	pkt.sge = wqe->sge;
	pkt.num_sge = wqe->num_sge;
	pkt.len = wqe->len;
	pkt.dest_qpn = wqe->dest_qpn;
	pkt.qkey = wqe->qkey & SOFTIB_QKEY_OF_QP ? READ_ONCE(qp->qkey) : wqe->qkey;
	pkt.slid = softib_send_slid(port, &wqe->av);
	pkt.pkey = softib_send_pkey(qp, wqe);
	pkt.imm_data = wqe->imm_data;
	pkt.has_imm = wqe->opcode == IB_WR_SEND_WITH_IMM;
	pkt.solicited = wqe->send_flags & IB_SEND_SOLICITED;
	pkt.multicast = wqe->dest_qpn == IB_MULTICAST_QPN;
	softib_send_count(qp, softib_wire_xmit(port, &pkt));
	return IB_WC_SUCCESS;
}

/*
 * The first error of a datagram queue stops it (IBA 10.3.1.6, SQE), and has done so by the time its
 * completion can be polled.
 */
static void softib_sq_stop(struct softib_qp *qp)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->sq.lock, flags);
	spin_lock(&qp->rq.lock);
	if (qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD)
		WRITE_ONCE(qp->state, IB_QPS_SQE);
	spin_unlock(&qp->rq.lock);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
}

/* What became of a datagram, or its flush: which stops nothing, as the queue may be back in RTS. */
static enum ib_wc_status softib_send_one(struct softib_qp *qp, const struct softib_send_wqe *wqe)
{
	enum ib_qp_state state = READ_ONCE(qp->state);
	enum ib_wc_status status;

	if (unlikely(state != IB_QPS_RTS && state != IB_QPS_SQD)) {
		softib_send_count(qp, SOFTIB_TX_ERRORS);
		return IB_WC_WR_FLUSH_ERR;
	}
	status = softib_send_datagram(qp, wqe);
	if (unlikely(status != IB_WC_SUCCESS)) {
		softib_sq_stop(qp);
		softib_send_count(qp, SOFTIB_TX_ERRORS);
	}
	return status;
}

/* A completion was lost for want of room: the queue pair is broken (IBA 11.6.3.2). */
static void softib_send_lost_completion(struct softib_qp *qp)
{
	if (qp->is_data)
		softib_count(qp->port->stats, SOFTIB_CQ_OVERFLOWS, 1);
	softib_qp_raise(qp, IB_EVENT_QP_FATAL);
}

/* Writes the completion of slot @index: always for an error, else if asked for. */
static void softib_send_complete(struct softib_qp *qp, const struct softib_send_wqe *wqe, u32 index,
				 enum ib_wc_status status)
{
	struct ib_wc wc = {
		.wr_id = wqe->wr_id,
		.status = status,
		.opcode = IB_WC_SEND,
		.qp = &qp->ibqp,
		.byte_len = wqe->len,
	};
	u32 delay_us = qp->is_data ? READ_ONCE(qp->dev->fault.delay_send_us) : 0;

	if (unlikely(softib_cq_push(softib_cq(qp->ibqp.send_cq), &wc, &qp->sq.ring.tail, index + 1,
				    false, delay_us)))
		softib_send_lost_completion(qp);
}

/*
 * As softib_sq_runnable(), in other states than RTS: in SQD the engine ends a request that is under
 * way, in SQE and ERR it takes them to flush them.
 */
static bool softib_sq_ends_requests(const struct softib_qp *qp)
{
	switch (qp->state) {
	case IB_QPS_SQE:
	case IB_QPS_ERR:
		return qp->sq.ring.next != qp->sq.ring.head;
	case IB_QPS_SQD:
		return qp->rc && qp->rc->in_flight;
	default:
		return false;
	}
}

/* May the engine take a request in this state, and is there one? Caller holds the SQ lock. */
static __always_inline bool softib_sq_runnable(const struct softib_qp *qp)
{
	if (unlikely(qp->state != IB_QPS_RTS))
		return softib_sq_ends_requests(qp);
	if (unlikely(READ_ONCE(qp->dev->fault.stall_send)) && qp->is_data)
		return false;
	return qp->sq.ring.next != qp->sq.ring.head;
}

/* The send queue came to rest in a state in which somebody waits for that. SQ lock held. */
static void softib_sq_rests(struct softib_qp *qp)
{
	if (qp->state == IB_QPS_RESET)
		wake_up(&qp->idle);
	else if (qp->state == IB_QPS_SQD && qp->sqd_notify)
		softib_qp_raise(qp, IB_EVENT_SQ_DRAINED);
}

/* Goes on processing the send queue, or stops: true if there is a request. SQ lock held. */
bool softib_sq_keep(struct softib_qp *qp)
{
	qp->sq.busy = softib_sq_runnable(qp);
	if (unlikely(qp->state != IB_QPS_RTS) && !qp->sq.busy)
		softib_sq_rests(qp);
	return qp->sq.busy;
}

/* The state is now SQD: tells when the send queue rests, perhaps at once. No queue lock held. */
void softib_sq_drain(struct softib_qp *qp)
{
	spin_lock_irq(&qp->sq.lock);
	if (!qp->sq.busy)
		softib_sq_rests(qp);
	spin_unlock_irq(&qp->sq.lock);
}

/* Ends the request the engine took. True if there is another one. */
static bool softib_sq_advance(struct softib_qp *qp)
{
	struct softib_queue *sq = &qp->sq;
	unsigned long flags;
	bool more;

	spin_lock_irqsave(&sq->lock, flags);
	sq->ring.next++;
	sq->ring.done = sq->ring.next;
	more = softib_sq_keep(qp);
	spin_unlock_irqrestore(&sq->lock, flags);
	return more;
}

/*
 * Processes one request of the send queue, which the caller has marked busy under the lock, having
 * seen something to do. True: there is another one. False: the queue is no longer the caller's, but
 * at rest or, if a request waits, the timer's. Any context.
 *
 * A reset sets the state first and then waits for busy to clear, so qp lives until the unlock in
 * softib_sq_advance().
 */
bool softib_sq_step(struct softib_qp *qp)
{
	u32 index = qp->sq.ring.next;
	const struct softib_send_wqe *wqe = softib_slot(&qp->sq, index);
	enum ib_wc_status status;

	if (likely(!qp->rc))
		status = softib_send_one(qp, wqe);
	else if (!softib_rc_send(qp, wqe, &status))
		return false;
	if (status != IB_WC_SUCCESS || qp->signal_all || (wqe->send_flags & IB_SEND_SIGNALED))
		softib_send_complete(qp, wqe, index, status);
	return softib_sq_advance(qp);
}

/* Processes the send queue, marked busy as for softib_sq_step(), until it is not the caller's. */
void softib_sq_run(struct softib_qp *qp)
{
	while (softib_sq_step(qp))
		;
}

/*
 * Makes the caller the one who processes the send queue, if there is something to do and nobody
 * does. Caller holds the SQ lock and, if true is returned, calls softib_engine_run() without it.
 */
bool softib_sq_claim(struct softib_qp *qp)
{
	if (qp->sq.busy || !softib_sq_runnable(qp))
		return false;
	qp->sq.busy = true;
	return true;
}

/* As softib_sq_claim(). Any context, no queue lock held. */
static bool softib_sq_try_claim(struct softib_qp *qp)
{
	unsigned long flags;
	bool run;

	spin_lock_irqsave(&qp->sq.lock, flags);
	run = softib_sq_claim(qp);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return run;
}

/*
 * Processes the send queue if there is something to do and nobody does. Any context, no queue lock
 * held.
 */
void softib_sq_kick(struct softib_qp *qp)
{
	if (softib_sq_try_claim(qp))
		softib_engine_run(qp);
}

/* Leaves the send queue, marked busy, to whoever takes it next. True if there is a request. */
static bool softib_sq_release(struct softib_qp *qp)
{
	unsigned long flags;
	bool more;

	spin_lock_irqsave(&qp->sq.lock, flags);
	more = softib_sq_keep(qp);
	qp->sq.busy = false;
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return more;
}

/*
 * As softib_sq_kick(), for a caller that is no consumer of the queue: it takes only so many
 * requests, lest a consumer that posts as fast keep it for ever. True if there is one more, which
 * softib_sq_pause() leaves to the next who posts; the caller comes back in case nobody does. Any
 * context, no queue lock held; qp stays valid by a reference or rcu_read_lock().
 */
bool softib_sq_kick_some(struct softib_qp *qp)
{
	unsigned int left = SOFTIB_KICK_WRS;

	if (!softib_sq_try_claim(qp))
		return false;
	if (qp->dev->engine) {
		softib_engine_run(qp);
		return false;
	}
	while (softib_sq_step(qp))
		if (!--left)
			return softib_sq_release(qp);
	return false;
}

/* Lets the send queue go on, which is in RTS now. May sleep. */
void softib_sq_resume(struct softib_qp *qp)
{
	while (softib_sq_kick_some(qp))
		softib_sq_pause();
}
