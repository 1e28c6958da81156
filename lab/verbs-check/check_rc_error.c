// SPDX-License-Identifier: GPL-2.0-only
/* Connections that fail: which status tells of it, and that everything else is flushed. */
#include "check.h"
#include "rc_pair.h"

#include <linux/ktime.h>

/* Code 12 is 16.8 ms, RNR code 14 is 1.28 ms. */
static const struct vc_rc_options hasty = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 12,
	.retry_cnt = 2,
	.rnr_retry = 2,
	.rnr_timer = 14,
};

static const struct vc_rc_options endless = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 0,
	.retry_cnt = 2,
	.rnr_retry = 7,
};

static const struct vc_rc_options skewed = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 1,
	.psn_skew = 1,
};

/* The port is in the default partition only: that entry of its table is empty. */
static const struct vc_rc_options stranger = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 1,
	.retry_cnt = 2,
	.partition = 3,
};

/* Two sends, the first ending in @status and the second flushed, and the sender in ERR. */
static int fails_with(struct vc_rc *rc, enum ib_wc_status status)
{
	struct ib_wc wc[2];
	int err;

	err = vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 2, wc));
	err = err ?: VC_EXPECT(wc[0].wr_id == 1 && wc[0].status == status);
	err = err ?: VC_EXPECT(wc[1].wr_id == 2 && wc[1].status == IB_WC_WR_FLUSH_ERR);
	return err ?: VC_EXPECT(vc_rc_state(rc->from) == IB_QPS_ERR);
}

static int not_ready_body(struct vc_rc *rc)
{
	u64 start = ktime_get_ns();
	int err = fails_with(rc, IB_WC_RNR_RETRY_EXC_ERR);

	return err ?: VC_EXPECT(ktime_get_ns() - start >= 2 * 1280 * NSEC_PER_USEC);
}

static int not_ready(struct ib_device *device)
{
	return vc_with_rc(device, &hasty, not_ready_body);
}

static int no_answer_body(struct vc_rc *rc)
{
	u64 start;
	int err;

	err = vc_set_state(rc->to, IB_QPS_ERR);
	start = ktime_get_ns();
	err = err ?: fails_with(rc, IB_WC_RETRY_EXC_ERR);
	return err ?: VC_EXPECT(ktime_get_ns() - start >= 3 * (4096ULL << 12));
}

static int no_answer(struct ib_device *device)
{
	return vc_with_rc(device, &hasty, no_answer_body);
}

static int other_psn_body(struct vc_rc *rc)
{
	struct ib_wc wc;
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: fails_with(rc, IB_WC_RETRY_EXC_ERR);
	return err ?: VC_EXPECT(ib_poll_cq(rc->recv.cq, 1, &wc) == 0);
}

static int other_psn(struct ib_device *device)
{
	return vc_with_rc(device, &skewed, other_psn_body);
}

static int other_partition_body(struct vc_rc *rc)
{
	struct ib_port_attr port;
	struct ib_wc wc;
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: fails_with(rc, IB_WC_RETRY_EXC_ERR);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->recv.cq, 1, &wc) == 0);
	err = err ?: ib_query_port(rc->device, VC_PORT, &port);
	return err ?: VC_EXPECT(port.bad_pkey_cntr == rc->port.bad_pkey_cntr + 3);
}

static int other_partition(struct ib_device *device)
{
	return vc_with_rc(device, &stranger, other_partition_body);
}

static int flushed_body(struct vc_rc *rc)
{
	struct ib_wc wc[2];
	int err;

	err = vc_set_state(rc->to, IB_QPS_ERR);
	err = err ?: vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 2, wc) == 0);
	err = err ?: vc_set_state(rc->from, IB_QPS_ERR);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 2, wc));
	return err ?: VC_EXPECT(wc[0].wr_id == 1 && wc[0].status == IB_WC_WR_FLUSH_ERR &&
				wc[1].wr_id == 2 && wc[1].status == IB_WC_WR_FLUSH_ERR);
}

static int flushed(struct ib_device *device)
{
	return vc_with_rc(device, &endless, flushed_body);
}

static int reset_body(struct vc_rc *rc)
{
	struct ib_wc wc;
	int err;

	err = vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: vc_set_state(rc->from, IB_QPS_RESET);
	err = err ?: vc_set_state(rc->to, IB_QPS_RESET);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->send.cq, 1, &wc) == 0);
	err = err ?: vc_rc_connect(rc, rc->to, rc->from, true);
	err = err ?: vc_rc_connect(rc, rc->from, rc->to, true);
	err = err ?: vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc) && wc.wr_id == 2);
	return err ?: VC_EXPECT(wc.status == IB_WC_SUCCESS);
}

static int reset(struct ib_device *device)
{
	return vc_with_rc(device, &endless, reset_body);
}

/* The receiver refused buffer 0 with @status, its buffer 1 was flushed, and it is in ERR. */
static int refused_with(struct vc_rc *rc, enum ib_wc_status status)
{
	struct ib_wc wc[2];
	int err;

	err = VC_EXPECT(vc_rc_polled(&rc->recv, 2, wc));
	err = err ?: VC_EXPECT(wc[0].wr_id == 0 && wc[0].status == status);
	err = err ?: VC_EXPECT(wc[1].wr_id == 1 && wc[1].status == IB_WC_WR_FLUSH_ERR);
	return err ?: VC_EXPECT(vc_rc_state(rc->to) == IB_QPS_ERR);
}

static int too_long_body(struct vc_rc *rc)
{
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE - 1);
	err = err ?: vc_rc_recv(rc, 1, VC_MESSAGE);
	err = err ?: fails_with(rc, IB_WC_REM_INV_REQ_ERR);
	return err ?: refused_with(rc, IB_WC_LOC_LEN_ERR);
}

static int too_long(struct ib_device *device)
{
	return vc_with_rc(device, &hasty, too_long_body);
}

static int receive_key_body(struct vc_rc *rc)
{
	int err;

	err = vc_rc_recv_key(rc, 0, VC_MESSAGE, 0xbad);
	err = err ?: vc_rc_recv(rc, 1, VC_MESSAGE);
	err = err ?: fails_with(rc, IB_WC_REM_OP_ERR);
	return err ?: refused_with(rc, IB_WC_LOC_PROT_ERR);
}

static int receive_key(struct ib_device *device)
{
	return vc_with_rc(device, &hasty, receive_key_body);
}

static int send_key_body(struct vc_rc *rc)
{
	struct ib_wc wc[2];
	int err;

	err = vc_rc_recv(rc, 0, VC_MESSAGE);
	err = err ?: vc_rc_send_key(rc, 1, 0xbad);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 2, wc));
	err = err ?: VC_EXPECT(wc[0].wr_id == 1 && wc[0].status == IB_WC_LOC_PROT_ERR);
	err = err ?: VC_EXPECT(wc[1].wr_id == 2 && wc[1].status == IB_WC_WR_FLUSH_ERR);
	err = err ?: VC_EXPECT(vc_rc_state(rc->from) == IB_QPS_ERR);
	return err ?: VC_EXPECT(ib_poll_cq(rc->recv.cq, 1, wc) == 0);
}

static int send_key(struct ib_device *device)
{
	return vc_with_rc(device, &hasty, send_key_body);
}

const struct vc_check vc_rc_error_checks[] = {
	{ "RNR retries are used up after as many waits as allowed", not_ready },
	{ "a peer that does not answer uses up the retries, a timeout each", no_answer },
	{ "a packet number the peer does not expect is not answered", other_psn },
	{ "a message of another partition is counted, not answered", other_partition },
	{ "ERR ends a wait without end, and flushes", flushed },
	{ "RESET ends a wait without completions, and connects anew", reset },
	{ "a message over the receive buffer breaks both ends", too_long },
	{ "a wrong key at the receiver breaks both ends", receive_key },
	{ "a wrong key at the sender breaks the sender, and nothing arrives", send_key },
	{}
};
