// SPDX-License-Identifier: GPL-2.0-only
/*
 * The requester of a reliable connection (IBA volume 1, section 9.7): a request ends when it was
 * placed at the responder, or when the patience the attributes grant is used up.
 *
 * Messages are handed over whole, since softib's links lose none of their packets alone. A request
 * that has to wait keeps the send queue busy; the timer goes on with it.
 */
#include "rc.h"

#include "device.h"
#include "engine.h"
#include "port.h"
#include "qp.h"
#include "send.h"
#include "wire.h"

#include <linux/slab.h>

#define SOFTIB_RNR_RETRY_FOREVER 7

/* How long a responder's timer code asks to wait (IBA 9.7.5.2.8), in units of 10 us. */
static const u32 softib_rnr_10us[] = {
	65536, 1,   2,	  3,	4,    6,    8,	  12,	16,    24,    32,
	48,    64,  96,	  128,	192,  256,  384,  512,	768,   1024,  1536,
	2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

/* The Local ACK Timeout (IBA 9.7.6.1.3); code 0 never ends. */
static u64 softib_rc_ack_ns(u8 code)
{
	return code ? 4096ULL << code : KTIME_MAX;
}

static u64 softib_rc_rnr_ns(u8 code)
{
	return softib_rnr_10us[code] * 10ULL * NSEC_PER_USEC;
}

static enum hrtimer_restart softib_rc_timeout(struct hrtimer *timer)
{
	softib_rc_resume(container_of(timer, struct softib_rc, timer)->qp);
	return HRTIMER_NORESTART;
}

/* Gives a queue pair its connection, in RESET. 0 or -ENOMEM. May sleep. */
int softib_rc_alloc(struct softib_qp *qp)
{
	struct softib_rc *rc = kzalloc(sizeof(*rc), GFP_KERNEL);

	if (!rc)
		return -ENOMEM;
	rc->qp = qp;
	hrtimer_init(&rc->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	rc->timer.function = softib_rc_timeout;
	qp->rc = rc;
	return 0;
}

/* The queue pair is at rest, or never had a connection. May sleep. */
void softib_rc_free(struct softib_qp *qp)
{
	if (!qp->rc)
		return;
	hrtimer_cancel(&qp->rc->timer);
	kfree(qp->rc);
}

/* A new request is the oldest. Whoever processes the send queue, or at rest. */
static void softib_rc_next(struct softib_rc *rc)
{
	rc->lost = 0;
	rc->rnr_naks = 0;
	rc->in_flight = false;
}

/* Forgets the connection. The queue pair is at rest. */
void softib_rc_reset(struct softib_qp *qp)
{
	softib_rc_next(qp->rc);
	qp->rc->established = false;
	qp->rc->drained = false;
}

/*
 * Goes on with a send queue that waits, because time is up or the state changed. Any context, no
 * queue lock held.
 */
void softib_rc_resume(struct softib_qp *qp)
{
	bool run = false;
	unsigned long flags;

	spin_lock_irqsave(&qp->sq.lock, flags);
	if (qp->rc->paused) {
		qp->rc->paused = false;
		run = softib_sq_keep(qp);
	}
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	if (run)
		softib_engine_run(qp);
}

/*
 * Leaves the send queue to the timer. False, and nothing happens, if the state does not let the
 * request wait; if true the queue pair is no longer the caller's to touch.
 */
static bool softib_rc_pause(struct softib_qp *qp, u64 wait_ns)
{
	struct softib_rc *rc = qp->rc;
	unsigned long flags;
	bool paused;

	spin_lock_irqsave(&qp->sq.lock, flags);
	paused = qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD;
	rc->paused = paused;
	rc->in_flight = true;
	if (paused)
		hrtimer_start(&rc->timer, ns_to_ktime(wait_ns), HRTIMER_MODE_REL_SOFT);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return paused;
}

/* One transmission. The fate softib_wire_xmit() returns is the responder's answer, or none. */
static enum softib_counter softib_rc_xmit(struct softib_qp *qp, const struct softib_send_wqe *wqe,
					  struct softib_rc_req *req)
{
	struct softib_port *port = qp->port;
	struct softib_pkt pkt = {
		.src_qp = qp,
		.src_qpn = qp->ibqp.qp_num,
		.av = &qp->rc->av,
		.rc = req,
		.sge = wqe->sge,
		.num_sge = wqe->num_sge,
		.len = wqe->len,
		.dest_qpn = qp->attr.dest_qp_num,
		.imm_data = wqe->imm_data,
		.slid = softib_send_slid(port, &qp->rc->av),
		.pkey = READ_ONCE(port->pkeys[READ_ONCE(qp->pkey_index)]),
		.has_imm = wqe->opcode == IB_WR_SEND_WITH_IMM,
		.solicited = wqe->send_flags & IB_SEND_SOLICITED,
	};

	return softib_wire_xmit(port, &pkt);
}

/* The responder has no receive request: wait as long as it asks, as often as is allowed. */
static enum ib_wc_status softib_rc_not_ready(struct softib_qp *qp, const struct softib_rc_req *req,
					     u64 *wait_ns)
{
	struct softib_rc *rc = qp->rc;

	rc->lost = 0;
	if (qp->attr.rnr_retry != SOFTIB_RNR_RETRY_FOREVER &&
	    rc->rnr_naks++ >= qp->attr.rnr_retry)
		return IB_WC_RNR_RETRY_EXC_ERR;
	softib_count(qp->port->stats, SOFTIB_RC_RNR_RETRIES, 1);
	*wait_ns = softib_rc_rnr_ns(req->rnr_timer);
	return IB_WC_SUCCESS;
}

/* Nobody answered: the same again after the timeout, as often as is allowed. */
static enum ib_wc_status softib_rc_no_answer(struct softib_qp *qp, u64 *wait_ns)
{
	if (qp->rc->lost++ < qp->attr.retry_cnt)
		softib_count(qp->port->stats, SOFTIB_RC_RETRIES, 1);
	*wait_ns = softib_rc_ack_ns(qp->attr.timeout);
	return IB_WC_SUCCESS;
}

/* Transmits a request. How it ended, or, if *@wait_ns was set, that it goes on after that time. */
static enum ib_wc_status softib_rc_transmit(struct softib_qp *qp, const struct softib_send_wqe *wqe,
					    u64 *wait_ns)
{
	u32 mtu = ib_mtu_enum_to_int(qp->attr.path_mtu);
	struct softib_rc_req req = {
		.psn = qp->rc->sq_psn,
		.packets = max(1U, DIV_ROUND_UP(wqe->len, mtu)),
	};

	if (unlikely(wqe->len > SOFTIB_MAX_MESSAGE))
		return IB_WC_LOC_LEN_ERR;
	if (unlikely(!softib_send_keys_ok(wqe)))
		return IB_WC_LOC_PROT_ERR;
	if (!qp->rc->in_flight && softib_fault_due(&qp->dev->fault.fail_send_nth))
		return IB_WC_LOC_QP_OP_ERR;
	if (unlikely(qp->rc->lost > qp->attr.retry_cnt))
		return IB_WC_RETRY_EXC_ERR;

	switch (softib_rc_xmit(qp, wqe, &req)) {
	case SOFTIB_TX_DELIVERED:
		qp->rc->sq_psn = (req.psn + req.packets) & SOFTIB_PSN_MASK;
		return IB_WC_SUCCESS;
	case SOFTIB_DROP_NO_RECEIVE_WR:
		return softib_rc_not_ready(qp, &req, wait_ns);
	case SOFTIB_DROP_LENGTH:
		return IB_WC_REM_INV_REQ_ERR;
	case SOFTIB_DROP_RECEIVE_FAULT:
		return IB_WC_REM_OP_ERR;
	default:
		return softib_rc_no_answer(qp, wait_ns);
	}
}

/* Ends the oldest request; an error breaks the connection (IBA 10.3.1.7) and flushes the rest. */
static void softib_rc_end(struct softib_qp *qp, enum ib_wc_status status)
{
	softib_rc_next(qp->rc);
	if (likely(status == IB_WC_SUCCESS)) {
		softib_count(qp->port->stats, SOFTIB_TX_DELIVERED, 1);
		return;
	}
	softib_count(qp->port->stats, SOFTIB_TX_ERRORS, 1);
	softib_qp_break(qp);
}

/**
 * softib_rc_send() - process the oldest request of a connection
 * @qp:     the queue pair, whose send queue the caller processes
 * @wqe:    the request
 * @status: how it ended
 *
 * Any context, no lock held. Return: true if it ended; false if it waits, and the send queue is no
 * longer the caller's.
 */
bool softib_rc_send(struct softib_qp *qp, const struct softib_send_wqe *wqe,
		    enum ib_wc_status *status)
{
	u64 wait_ns;

	do {
		enum ib_qp_state state = READ_ONCE(qp->state);

		wait_ns = 0;
		*status = IB_WC_WR_FLUSH_ERR;
		if (likely(state == IB_QPS_RTS || state == IB_QPS_SQD))
			*status = softib_rc_transmit(qp, wqe, &wait_ns);
		if (wait_ns && softib_rc_pause(qp, wait_ns))
			return false;
	} while (wait_ns);
	softib_rc_end(qp, *status);
	return true;
}
