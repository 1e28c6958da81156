// SPDX-License-Identifier: GPL-2.0-only
/* Connects two queue pairs, posts to them, and waits for what comes of it. */
#include "rc_pair.h"

#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/slab.h>

#define TRIES 20000
#define SLOT_OCTETS (VC_MAX_MESSAGE * 2)

static void from_event(struct ib_event *event, void *context)
{
	set_bit(event->event, &((struct vc_rc *)context)->from_events);
}

static void to_event(struct ib_event *event, void *context)
{
	set_bit(event->event, &((struct vc_rc *)context)->to_events);
}

static void srq_event(struct ib_event *event, void *context)
{
	struct vc_rc *rc = context;

	set_bit(event->event, &rc->srq_events);
	atomic_inc(&rc->srq_calls);
}

/* Everything INIT, RTR and RTS need, towards @peer. */
void vc_rc_attr(const struct vc_rc *rc, const struct ib_qp *peer, struct ib_qp_attr *attr)
{
	bool sends = peer == rc->to;

	memset(attr, 0, sizeof(*attr));
	attr->port_num = VC_PORT;
	attr->pkey_index = sends ? rc->options->partition : 0;
	attr->path_mtu = rc->port.active_mtu;
	attr->dest_qp_num = peer->qp_num;
	attr->rq_psn = sends ? 0 : VC_RC_PSN;
	attr->sq_psn = sends ? VC_RC_PSN + rc->options->psn_skew : 0;
	attr->timeout = rc->options->timeout;
	attr->retry_cnt = rc->options->retry_cnt;
	attr->rnr_retry = rc->options->rnr_retry;
	attr->min_rnr_timer = rc->options->rnr_timer;
	attr->ah_attr.type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_port_num(&attr->ah_attr, VC_PORT);
	rdma_ah_set_dlid(&attr->ah_attr, rc->port.lid);
}

/* RESET to RTR, and to RTS. 0 or -errno. */
int vc_rc_connect(struct vc_rc *rc, struct ib_qp *qp, const struct ib_qp *peer, bool rts)
{
	struct ib_qp_attr attr;
	int err;

	vc_rc_attr(rc, peer, &attr);
	attr.qp_state = IB_QPS_INIT;
	err = ib_modify_qp(qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(qp, &attr,
			   IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
				   IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
	if (err || !rts)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(qp, &attr,
			    IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				    IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC);
}

static int qps_create(struct vc_rc *rc)
{
	struct ib_qp_init_attr attr = {
		.event_handler = from_event,
		.qp_context = rc,
		.send_cq = rc->send.cq,
		.recv_cq = rc->recv.cq,
		.cap = { .max_send_wr = VC_RC_WRS, .max_recv_wr = VC_RC_WRS,
			 .max_send_sge = 2, .max_recv_sge = 1 },
		.sq_sig_type = rc->options->signaling,
		.qp_type = IB_QPT_RC,
	};
	struct ib_qp *qp;
	int err;

	qp = ib_create_qp(rc->pd, &attr);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	rc->from = qp;
	attr.event_handler = to_event;
	attr.srq = rc->srq;
	qp = ib_create_qp(rc->pd, &attr);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	rc->to = qp;
	err = vc_rc_connect(rc, rc->to, rc->from, !rc->options->to_in_rtr);
	return err ?: vc_rc_connect(rc, rc->from, rc->to, true);
}

static int srq_create(struct vc_rc *rc)
{
	struct ib_srq_init_attr attr = {
		.event_handler = srq_event,
		.srq_context = rc,
		.attr = { .max_wr = rc->options->srq_wrs, .max_sge = 1 },
	};
	struct ib_srq *srq;

	if (!rc->options->srq_wrs)
		return 0;
	srq = ib_create_srq(rc->pd, &attr);
	if (IS_ERR(srq))
		return PTR_ERR(srq);
	rc->srq = srq;
	return 0;
}

static int rc_fill(struct vc_rc *rc)
{
	struct ib_pd *pd;
	int err;

	err = ib_query_port(rc->device, VC_PORT, &rc->port);
	if (err)
		return err;
	rc->buffer = kzalloc((VC_RC_WRS + 1) * SLOT_OCTETS, GFP_KERNEL);
	if (!rc->buffer)
		return -ENOMEM;
	pd = ib_alloc_pd(rc->device, 0);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	rc->pd = pd;
	rc->address = ib_dma_map_single(rc->device, rc->buffer, (VC_RC_WRS + 1) * SLOT_OCTETS,
					DMA_BIDIRECTIONAL);
	err = vc_cq_create(rc->device, &rc->send, 4 * VC_RC_WRS);
	err = err ?: vc_cq_create(rc->device, &rc->recv, 4 * VC_RC_WRS);
	err = err ?: srq_create(rc);
	return err ?: qps_create(rc);
}

static void rc_destroy(struct vc_rc *rc)
{
	if (rc->to)
		ib_destroy_qp(rc->to);
	if (rc->from)
		ib_destroy_qp(rc->from);
	if (rc->srq)
		ib_destroy_srq(rc->srq);
	if (rc->recv.cq)
		ib_destroy_cq(rc->recv.cq);
	if (rc->send.cq)
		ib_destroy_cq(rc->send.cq);
	if (rc->pd) {
		ib_dma_unmap_single(rc->device, rc->address, (VC_RC_WRS + 1) * SLOT_OCTETS,
				    DMA_BIDIRECTIONAL);
		ib_dealloc_pd(rc->pd);
	}
	kfree(rc->buffer);
	kfree(rc);
}

/**
 * vc_with_rc() - run something with a connected pair of its own
 * @device:  where
 * @options: attributes
 * @body:    0 or -errno
 *
 * Return: what @body returns, or why there is no pair. May sleep.
 */
int vc_with_rc(struct ib_device *device, const struct vc_rc_options *options,
	       int (*body)(struct vc_rc *rc))
{
	struct vc_rc *rc = kzalloc(sizeof(*rc), GFP_KERNEL);
	int err;

	if (!rc)
		return -ENOMEM;
	rc->device = device;
	rc->options = options;
	err = rc_fill(rc);
	err = err ?: body(rc);
	rc_destroy(rc);
	return err;
}

static int rc_post(struct vc_rc *rc, u64 wr_id, int flags, u32 octets, u32 lkey)
{
	struct ib_sge sge = { rc->address, octets, lkey };
	struct ib_send_wr wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IB_WR_SEND,
		.send_flags = flags,
	};
	int err = ib_post_send(rc->from, &wr, NULL);

	vc_settle();
	return err;
}

/* Sends the first @octets of the buffer. What ib_post_send returns. */
int vc_rc_send(struct vc_rc *rc, u64 wr_id, int flags, u32 octets)
{
	return rc_post(rc, wr_id, flags, octets, rc->pd->local_dma_lkey);
}

int vc_rc_send_key(struct vc_rc *rc, u64 wr_id, u32 lkey)
{
	return rc_post(rc, wr_id, 0, VC_MESSAGE, lkey);
}

/* Posts receive buffer @wr_id, below VC_RC_WRS, to the SRQ if there is one. */
int vc_rc_recv_key(struct vc_rc *rc, u64 wr_id, u32 octets, u32 lkey)
{
	struct ib_sge sge = { rc->address + (wr_id + 1) * SLOT_OCTETS, octets, lkey };
	struct ib_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 };

	return rc->srq ? ib_post_srq_recv(rc->srq, &wr, NULL) : ib_post_recv(rc->to, &wr, NULL);
}

int vc_rc_recv(struct vc_rc *rc, u64 wr_id, u32 octets)
{
	return vc_rc_recv_key(rc, wr_id, octets, rc->pd->local_dma_lkey);
}

/* Where receive buffer @wr_id is. */
void *vc_rc_received(struct vc_rc *rc, u64 wr_id)
{
	return rc->buffer + (wr_id + 1) * SLOT_OCTETS;
}

/* Polls until there were so many completions; false if they do not come within seconds. */
bool vc_rc_polled(struct vc_cq *cq, int entries, struct ib_wc *wc)
{
	int tries = TRIES, polled = 0;

	while (polled < entries && tries--) {
		polled += ib_poll_cq(cq->cq, entries - polled, wc + polled);
		if (polled < entries)
			usleep_range(100, 200);
	}
	return polled == entries;
}

/* Waits for an event of that type; false if it does not come within seconds. */
bool vc_rc_told(const unsigned long *events, enum ib_event_type type)
{
	int tries = TRIES;

	while (!test_bit(type, events) && tries--)
		usleep_range(100, 200);
	return test_bit(type, events);
}

enum ib_qp_state vc_rc_state(struct ib_qp *qp)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;

	return ib_query_qp(qp, &attr, IB_QP_STATE, &init) ? IB_QPS_RESET : attr.qp_state;
}
