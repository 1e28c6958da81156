// SPDX-License-Identifier: GPL-2.0-only
/* Send queues: which requests complete, and when a slot is free again. */
#include "check.h"
#include "pair.h"

#define SLOTS 8

static const struct vc_options on_request = { .signaling = IB_SIGNAL_REQ_WR };
static const struct vc_options always = { .signaling = IB_SIGNAL_ALL_WR };

static int post_unsignaled(struct vc_pair *pair, int count)
{
	int i, err = 0;

	for (i = 0; i < count && !err; i++)
		err = vc_send(pair, i, 0);
	return err;
}

static int unsignaled_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = post_unsignaled(pair, 3);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 0);
	err = err ?: vc_send(pair, 77, IB_SEND_SIGNALED);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 1);
	return err ?: VC_EXPECT(wc[0].wr_id == 77 && wc[0].status == IB_WC_SUCCESS);
}

static int unsignaled(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, unsignaled_body);
}

static int all_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = post_unsignaled(pair, 3);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 3);
	return err ?: VC_EXPECT(wc[0].wr_id == 0 && wc[1].wr_id == 1 && wc[2].wr_id == 2);
}

static int all(struct ib_device *device)
{
	return vc_with_pair(device, &always, all_body);
}

static int full_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = post_unsignaled(pair, SLOTS - 1);
	err = err ?: vc_send(pair, 9, IB_SEND_SIGNALED);
	err = err ?: VC_EXPECT(vc_send(pair, 10, 0) == -ENOMEM);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 1);
	err = err ?: post_unsignaled(pair, SLOTS);
	return err ?: VC_EXPECT(vc_send(pair, 11, IB_SEND_SIGNALED) == -ENOMEM);
}

static int full(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, full_body);
}

static int one_poll_body(struct vc_pair *pair)
{
	struct ib_wc wc;
	int err;

	err = vc_send(pair, 0, IB_SEND_SIGNALED);
	err = err ?: post_unsignaled(pair, SLOTS - 2);
	err = err ?: vc_send(pair, 1, IB_SEND_SIGNALED);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 1, &wc) == 1 && wc.wr_id == 0);
	err = err ?: vc_send(pair, 2, 0);
	return err ?: VC_EXPECT(vc_send(pair, 3, 0) == -ENOMEM);
}

static int one_poll(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, one_poll_body);
}

static int chain_body(struct vc_pair *pair)
{
	struct ib_sge sge = { pair->address, VC_MESSAGE, pair->pd->local_dma_lkey };
	struct ib_ud_wr wr[SLOTS + 2] = {};
	const struct ib_send_wr *bad = NULL;
	struct ib_wc wc[SLOTS + 2];
	int err;

	vc_chain(pair, wr, ARRAY_SIZE(wr), &sge);
	err = VC_EXPECT(ib_post_send(pair->from, &wr[0].wr, &bad) == -ENOMEM);
	vc_settle();
	err = err ?: VC_EXPECT(bad == &wr[SLOTS].wr);
	return err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, SLOTS + 2, wc) == SLOTS);
}

static int chain(struct ib_device *device)
{
	return vc_with_pair(device, &always, chain_body);
}

static int error_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = vc_send(pair, 1, 0);
	err = err ?: vc_send_key(pair, 2, 0, 0xbad);
	err = err ?: vc_send(pair, 3, 0);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 2);
	err = err ?: VC_EXPECT(wc[0].wr_id == 2 && wc[0].status == IB_WC_LOC_PROT_ERR);
	err = err ?: VC_EXPECT(wc[1].wr_id == 3 && wc[1].status == IB_WC_WR_FLUSH_ERR);
	err = err ?: vc_set_state(pair->from, IB_QPS_RTS);
	err = err ?: vc_send(pair, 4, IB_SEND_SIGNALED);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 1);
	return err ?: VC_EXPECT(wc[0].wr_id == 4 && wc[0].status == IB_WC_SUCCESS);
}

static int error(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, error_body);
}

static int too_long_body(struct vc_pair *pair)
{
	struct ib_wc wc[4];
	int err;

	err = vc_send_octets(pair, 1, 0, VC_MAX_MESSAGE);
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 4, wc) == 1);
	return err ?: VC_EXPECT(wc[0].status == IB_WC_LOC_LEN_ERR);
}

static int too_long(struct ib_device *device)
{
	return vc_with_pair(device, &on_request, too_long_body);
}

const struct vc_check vc_sq_checks[] = {
	{ "an unsignaled success has no completion", unsignaled },
	{ "with IB_SIGNAL_ALL_WR every request has one", all },
	{ "a full send queue refuses until a completion is polled", full },
	{ "a polled completion frees its own slot and older ones only", one_poll },
	{ "a chain stops at the first request without a slot", chain },
	{ "an error always completes, SQE flushes, RTS resumes", error },
	{ "a message over the MTU is a local length error", too_long },
	{}
};
