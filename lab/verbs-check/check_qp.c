// SPDX-License-Identifier: GPL-2.0-only
/* Queue pairs: what a message looks like when it arrives, what is dropped, and what states do. */
#include "check.h"
#include "pair.h"

#include <linux/string.h>

static const struct vc_options on_request = { .signaling = IB_SIGNAL_REQ_WR };

static int arrival_body(struct vc_pair *pair)
{
	const u8 *received = pair->buffer + VC_MAX_MESSAGE / 2 + VC_GRH;
	struct ib_wc wc;
	int err;

	memset(pair->buffer, 0x5a, VC_MESSAGE);
	err = vc_recv(pair, 5, VC_GRH + VC_MESSAGE);
	err = err ?: vc_send(pair, 1, 0);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->recv.cq, 1, &wc) == 1);
	err = err ?: VC_EXPECT(wc.wr_id == 5 && wc.status == IB_WC_SUCCESS && wc.qp == pair->to);
	err = err ?: VC_EXPECT(wc.byte_len == VC_GRH + VC_MESSAGE && !(wc.wc_flags & IB_WC_GRH));
	err = err ?: VC_EXPECT(wc.src_qp == pair->from->qp_num && wc.opcode == IB_WC_RECV);
	return err ?: VC_EXPECT(!memchr_inv(received, 0x5a, VC_MESSAGE));
}

static int arrival(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, arrival_body);
}

static int drops_body(struct vc_pair *pair)
{
	struct ib_wc wc;
	int err;

	err = vc_send(pair, 1, 0);
	err = err ?: vc_recv(pair, 5, VC_GRH + VC_MESSAGE - 1);
	err = err ?: vc_send(pair, 2, 0);
	err = err ?: vc_send_qkey(pair, 3, VC_QKEY + 1);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->recv.cq, 1, &wc) == 0);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 1, &wc) == 1);
	err = err ?: VC_EXPECT(wc.status == IB_WC_SUCCESS);
	err = err ?: vc_send_octets(pair, 4, 0, VC_MESSAGE - 1);
	return err ?: VC_EXPECT(ib_poll_cq(pair->recv.cq, 1, &wc) == 1 && wc.wr_id == 5);
}

static int drops(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, drops_body);
}

static int flush_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = vc_recv(pair, 1, VC_GRH);
	err = err ?: vc_recv(pair, 2, VC_GRH);
	err = err ?: vc_set_state(pair->to, IB_QPS_ERR);
	err = err ?: vc_recv(pair, 3, VC_GRH);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->recv.cq, 4, wc) == 3);
	err = err ?: VC_EXPECT(wc[0].wr_id == 1 && wc[1].wr_id == 2 && wc[2].wr_id == 3);
	err = err ?: VC_EXPECT(wc[0].status == IB_WC_WR_FLUSH_ERR);
	err = err ?: vc_set_state(pair->from, IB_QPS_ERR);
	err = err ?: vc_send(pair, 4, 0);
	err = err ?: vc_send(pair, 5, 0);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 2);
	return err ?: VC_EXPECT(wc[0].wr_id == 4 && wc[1].status == IB_WC_WR_FLUSH_ERR);
}

static int flush(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, flush_body);
}

static int reset_body(struct vc_pair *pair)
{
	struct ib_wc wc;
	int i, err;

	err = vc_recv(pair, 1, VC_GRH);
	err = err ?: vc_set_state(pair->to, IB_QPS_RESET);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->recv.cq, 1, &wc) == 0);
	err = err ?: VC_EXPECT(vc_recv(pair, 2, VC_GRH) == -EINVAL);
	for (i = 0; i < 8 && !err; i++)
		err = vc_send(pair, i, i == 7 ? IB_SEND_SIGNALED : 0);
	err = err ?: vc_set_state(pair->from, IB_QPS_RESET);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 1, &wc) == 0);
	err = err ?: VC_EXPECT(vc_send(pair, 8, 0) == -EINVAL);
	err = err ?: vc_to_rts(pair->from);
	for (i = 0; i < 8 && !err; i++)
		err = vc_send(pair, i, 0);
	return err;
}

static int reset(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, reset_body);
}

static int transitions_body(struct vc_pair *pair)
{
	int err;

	err = VC_EXPECT(vc_set_state(pair->from, IB_QPS_INIT) == -EINVAL);
	err = err ?: vc_set_state(pair->from, IB_QPS_ERR);
	err = err ?: VC_EXPECT(vc_set_state(pair->from, IB_QPS_RTS) == -EINVAL);
	return err ?: vc_set_state(pair->from, IB_QPS_RESET);
}

static int transitions(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, transitions_body);
}

const struct vc_check vc_qp_checks[] = {
	{ "a message arrives behind 40 octets, whole, with its sender", arrival },
	{ "what finds no buffer, too small a one or another Q_Key is dropped", drops },
	{ "ERR flushes both queues, a completion each, signaled or not", flush },
	{ "RESET empties both queues without completions", reset },
	{ "only IBA's state transitions are allowed", transitions },
	{}
};
