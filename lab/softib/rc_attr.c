// SPDX-License-Identifier: GPL-2.0-only
/* The attributes of a reliable connection: their bounds, and where they go. */
#include "rc.h"

#include "device.h"
#include "port.h"
#include "qp.h"

#define SOFTIB_TIMEOUT_MAX 31
#define SOFTIB_RETRY_MAX 7
#define SOFTIB_RNR_TIMER_MAX 31

static bool softib_rc_path_ok(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct softib_port *port = qp->port;
	struct softib_av av;

	if (!(mask & (IB_QP_AV | IB_QP_PATH_MTU)))
		return true;
	if (mask & IB_QP_PORT)
		port = softib_port_get(qp->dev, attr->port_num);
	if ((mask & IB_QP_AV) &&
	    (rdma_ah_get_port_num(&attr->ah_attr) != port->num ||
	     softib_av_set(&av, port, &attr->ah_attr) || !softib_lid_is_unicast(av.dlid)))
		return false;
	return !(mask & IB_QP_PATH_MTU) ||
	       (attr->path_mtu >= IB_MTU_256 && attr->path_mtu <= READ_ONCE(port->neighbor_mtu));
}

static bool softib_rc_numbers_ok(const struct ib_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_DEST_QPN) && (attr->dest_qp_num < 2 || attr->dest_qp_num > 0xffffff))
		return false;
	if ((mask & IB_QP_TIMEOUT) && attr->timeout > SOFTIB_TIMEOUT_MAX)
		return false;
	if ((mask & IB_QP_RETRY_CNT) && attr->retry_cnt > SOFTIB_RETRY_MAX)
		return false;
	if ((mask & IB_QP_RNR_RETRY) && attr->rnr_retry > SOFTIB_RETRY_MAX)
		return false;
	if ((mask & IB_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > SOFTIB_RNR_TIMER_MAX)
		return false;
	if ((mask & IB_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > SOFTIB_MAX_RD_ATOMIC)
		return false;
	return !(mask & IB_QP_MAX_DEST_RD_ATOMIC) ||
	       attr->max_dest_rd_atomic <= SOFTIB_MAX_RD_ATOMIC;
}

/**
 * softib_rc_check_attr() - may these values be set?
 * @qp:   the queue pair
 * @attr: new attributes
 * @mask: which of them; those IBA table 91 allows
 *
 * Caller holds qp->modify and has checked the port number and the P_Key index.
 *
 * Return: 0; -EINVAL for values out of bounds; -EOPNOTSUPP for path migration.
 */
int softib_rc_check_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (mask & (IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE))
		return -EOPNOTSUPP;
	return softib_rc_path_ok(qp, attr, mask) && softib_rc_numbers_ok(attr, mask) ? 0 : -EINVAL;
}

/*
 * Sets what softib_rc_check_attr() allowed. Caller holds qp->modify; those the data path reads
 * change only in states in which it does not run, or one at a time.
 */
void softib_rc_take_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (mask & IB_QP_AV)
		softib_av_set(&qp->rc->av, qp->port, &attr->ah_attr);
	if (mask & IB_QP_PATH_MTU)
		qp->attr.path_mtu = attr->path_mtu;
	if (mask & IB_QP_DEST_QPN)
		qp->attr.dest_qp_num = attr->dest_qp_num;
	if (mask & IB_QP_RQ_PSN)
		qp->rc->rq_psn = attr->rq_psn & SOFTIB_PSN_MASK;
	if (mask & IB_QP_SQ_PSN)
		qp->rc->sq_psn = attr->sq_psn & SOFTIB_PSN_MASK;
	if (mask & IB_QP_ACCESS_FLAGS)
		qp->attr.qp_access_flags = attr->qp_access_flags;
	if (mask & IB_QP_TIMEOUT)
		qp->attr.timeout = attr->timeout;
	if (mask & IB_QP_RETRY_CNT)
		qp->attr.retry_cnt = attr->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		qp->attr.rnr_retry = attr->rnr_retry;
	if (mask & IB_QP_MIN_RNR_TIMER)
		qp->attr.min_rnr_timer = attr->min_rnr_timer;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		qp->attr.max_rd_atomic = attr->max_rd_atomic;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		qp->attr.max_dest_rd_atomic = attr->max_dest_rd_atomic;
}

/* Adds to query_qp what only a connection has. Caller holds qp->modify. */
void softib_rc_query(const struct softib_qp *qp, struct ib_qp_attr *attr)
{
	attr->sq_psn = READ_ONCE(qp->rc->sq_psn);
	attr->rq_psn = READ_ONCE(qp->rc->rq_psn);
	if (qp->port)
		softib_av_query(&qp->rc->av, qp->port->num, &attr->ah_attr);
}
