// SPDX-License-Identifier: GPL-2.0-only
/* Connections: what arrives, when a request ends, and what the states and attributes allow. */
#include "check.h"
#include "rc_pair.h"

#include <linux/sizes.h>
#include <linux/string.h>

static const struct vc_rc_options patient = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 10,
	.retry_cnt = 7,
	.rnr_retry = 7,
	.rnr_timer = 1,
};

static const struct vc_rc_options on_request = {
	.signaling = IB_SIGNAL_REQ_WR,
	.timeout = 10,
	.rnr_retry = 7,
	.rnr_timer = 1,
};

static const struct vc_rc_options rtr = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 10,
	.to_in_rtr = true,
};

static int order_body(struct vc_rc *rc)
{
	static const u32 octets[] = { 1, 0, 8192, 100 };
	struct ib_wc sent[4], wc[4];
	int i, err = 0;

	memset(rc->buffer, 0x5a, 8192);
	for (i = 0; i < 4 && !err; i++)
		err = vc_rc_recv(rc, i, 8192);
	for (i = 0; i < 4 && !err; i++)
		err = vc_rc_send(rc, 10 + i, 0, octets[i]);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 4, sent) && vc_rc_polled(&rc->recv, 4, wc));
	for (i = 0; i < 4 && !err; i++) {
		err = VC_EXPECT(sent[i].wr_id == 10 + i && sent[i].status == IB_WC_SUCCESS);
		err = err ?: VC_EXPECT(wc[i].wr_id == i && wc[i].status == IB_WC_SUCCESS);
		err = err ?: VC_EXPECT(wc[i].byte_len == octets[i] && wc[i].qp == rc->to);
		err = err ?: VC_EXPECT(!memchr_inv(vc_rc_received(rc, i), 0x5a, octets[i]));
	}
	return err;
}

static int order(struct ib_device *device)
{
	return vc_with_rc(device, &patient, order_body);
}

static int late_body(struct vc_rc *rc)
{
	struct ib_wc wc[2];
	int err;

	err = vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 2, wc) == 0);
	err = err ?: vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, wc) && wc[0].wr_id == 1);
	err = err ?: VC_EXPECT(wc[0].status == IB_WC_SUCCESS);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 2, wc) == 0);
	err = err ?: vc_rc_recv(rc, 1, VC_MESSAGE);
	return err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, wc) && wc[0].wr_id == 2);
}

static int late(struct ib_device *device)
{
	return vc_with_rc(device, &patient, late_body);
}

static int unsignaled_body(struct vc_rc *rc)
{
	struct ib_wc wc[VC_RC_WRS];
	int i, err = 0;

	for (i = 0; i < VC_RC_WRS && !err; i++)
		err = vc_rc_recv(rc, i, VC_MESSAGE);
	for (i = 0; i < VC_RC_WRS && !err; i++)
		err = vc_rc_send(rc, i, i == VC_RC_WRS - 1 ? IB_SEND_SIGNALED : 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_send(rc, 99, 0, VC_MESSAGE) == -ENOMEM);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, wc) && wc[0].wr_id == VC_RC_WRS - 1);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->recv, VC_RC_WRS, wc));
	for (i = 0; i < VC_RC_WRS && !err; i++)
		err = vc_rc_send(rc, i, 0, VC_MESSAGE);
	return err;
}

static int unsignaled(struct ib_device *device)
{
	return vc_with_rc(device, &on_request, unsignaled_body);
}

static int established_body(struct vc_rc *rc)
{
	struct ib_wc wc;
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->recv, 1, &wc) && wc.status == IB_WC_SUCCESS);
	return err ?: VC_EXPECT(vc_rc_told(&rc->to_events, IB_EVENT_COMM_EST));
}

static int established(struct ib_device *device)
{
	return vc_with_rc(device, &rtr, established_body);
}

static int drained_body(struct vc_rc *rc)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_SQD, .en_sqd_async_notify = 1 };
	struct ib_wc wc;
	int err;

	err = vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: ib_modify_qp(rc->from, &attr, IB_QP_STATE | IB_QP_EN_SQD_ASYNC_NOTIFY);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(!test_bit(IB_EVENT_SQ_DRAINED, &rc->from_events));
	err = err ?: vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: vc_rc_recv(rc, 1, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_told(&rc->from_events, IB_EVENT_SQ_DRAINED));
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 1, &wc) == 1 && wc.wr_id == 1);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 1, &wc) == 0);
	err = err ?: vc_set_state(rc->from, IB_QPS_RTS);
	return err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc) && wc.wr_id == 2);
}

static int drained(struct ib_device *device)
{
	return vc_with_rc(device, &patient, drained_body);
}

/* RTR with one attribute made wrong must be refused. */
static bool rtr_refused(struct vc_rc *rc, const struct ib_qp_attr *attr, int mask)
{
	return ib_modify_qp(rc->to, (struct ib_qp_attr *)attr, mask) == -EINVAL &&
	       vc_rc_state(rc->to) == IB_QPS_INIT;
}

static int attributes_body(struct vc_rc *rc)
{
	const int mask = IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
			 IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER;
	struct ib_qp_attr attr, good;
	int err;

	err = vc_set_state(rc->to, IB_QPS_RESET);
	vc_rc_attr(rc, rc->from, &good);
	good.qp_state = IB_QPS_INIT;
	err = err ?: ib_modify_qp(rc->to, &good, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
							 IB_QP_ACCESS_FLAGS);
	good.qp_state = IB_QPS_RTR;
	err = err ?: VC_EXPECT(rtr_refused(rc, &good, mask & ~IB_QP_AV));
	err = err ?: VC_EXPECT(rtr_refused(rc, &good, mask | IB_QP_QKEY));
	attr = good;
	attr.dest_qp_num = 0x1000000;
	err = err ?: VC_EXPECT(rtr_refused(rc, &attr, mask));
	attr = good;
	attr.path_mtu = rc->port.max_mtu + 1;
	err = err ?: VC_EXPECT(rtr_refused(rc, &attr, mask));
	attr = good;
	attr.min_rnr_timer = 32;
	err = err ?: VC_EXPECT(rtr_refused(rc, &attr, mask));
	attr = good;
	rdma_ah_set_dlid(&attr.ah_attr, 0);
	err = err ?: VC_EXPECT(rtr_refused(rc, &attr, mask));
	return err ?: ib_modify_qp(rc->to, &good, mask);
}

static int attributes(struct ib_device *device)
{
	return vc_with_rc(device, &patient, attributes_body);
}

static int two_gb_body(struct vc_rc *rc)
{
	struct ib_sge sge[2] = { { rc->address, SZ_2G, rc->pd->local_dma_lkey },
				 { rc->address, SZ_2G, rc->pd->local_dma_lkey } };
	struct ib_send_wr wr = {
		.sg_list = sge, .num_sge = 2, .opcode = IB_WR_SEND,
	};
	struct ib_wc wc;
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: ib_post_send(rc->from, &wr, NULL);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc));
	return err ?: VC_EXPECT(wc.status == IB_WC_LOC_LEN_ERR);
}

static int two_gb(struct ib_device *device)
{
	return vc_with_rc(device, &patient, two_gb_body);
}

const struct vc_check vc_rc_checks[] = {
	{ "a connection delivers in order, whole, without a GRH", order },
	{ "a request without a receive buffer waits for one, and those behind it too", late },
	{ "an unsignaled request of a connection has no completion and keeps its slot",
	  unsignaled },
	{ "the first message in RTR tells that the connection is established", established },
	{ "SQD ends what is under way, holds the rest and tells when drained", drained },
	{ "attributes out of bounds are refused and change nothing", attributes },
	{ "a message over 2 GB is a local length error", two_gb },
	{}
};
