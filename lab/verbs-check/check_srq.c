// SPDX-License-Identifier: GPL-2.0-only
/* Shared receive queues: slots, the limit, and a connection that ends on one. */
#include "check.h"
#include "rc_pair.h"

#define SLOTS 4

static const struct vc_rc_options shared = {
	.signaling = IB_SIGNAL_ALL_WR,
	.timeout = 10,
	.rnr_retry = 7,
	.rnr_timer = 1,
	.srq_wrs = SLOTS,
};

static int post_all(struct vc_rc *rc)
{
	int i, err = 0;

	for (i = 0; i < SLOTS && !err; i++)
		err = vc_rc_recv(rc, i, VC_MESSAGE);
	return err;
}

static int slots_body(struct vc_rc *rc)
{
	struct ib_wc wc;
	int err;

	err = post_all(rc);
	err = err ?: VC_EXPECT(vc_rc_recv(rc, SLOTS, VC_MESSAGE) == -ENOMEM);
	err = err ?: vc_rc_send(rc, 9, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc));
	err = err ?: VC_EXPECT(vc_rc_recv(rc, SLOTS, VC_MESSAGE) == -ENOMEM);
	err = err ?: VC_EXPECT(ib_poll_cq(rc->recv.cq, 1, &wc) == 1 && wc.wr_id == 0);
	err = err ?: vc_rc_recv(rc, SLOTS, VC_MESSAGE);
	return err ?: VC_EXPECT(vc_rc_recv(rc, SLOTS + 1, VC_MESSAGE) == -ENOMEM);
}

static int slots(struct ib_device *device)
{
	return vc_with_rc(device, &shared, slots_body);
}

/* Goes round the slots several times, so that every one is used again. */
static int order_body(struct vc_rc *rc)
{
	struct ib_wc wc;
	int i, err;

	err = post_all(rc);
	for (i = 0; i < 3 * SLOTS && !err; i++) {
		err = vc_rc_send(rc, i, 0, VC_MESSAGE);
		err = err ?: VC_EXPECT(vc_rc_polled(&rc->recv, 1, &wc));
		err = err ?: VC_EXPECT(wc.wr_id == i % SLOTS && wc.status == IB_WC_SUCCESS);
		err = err ?: vc_rc_recv(rc, i % SLOTS, VC_MESSAGE);
		err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc));
	}
	return err;
}

static int order(struct ib_device *device)
{
	return vc_with_rc(device, &shared, order_body);
}

static int limit_body(struct vc_rc *rc)
{
	struct ib_srq_attr attr = { .srq_limit = SLOTS + 1 };
	struct ib_wc wc[SLOTS];
	int err;

	err = post_all(rc);
	err = err ?: VC_EXPECT(ib_modify_srq(rc->srq, &attr, IB_SRQ_LIMIT) == -EINVAL);
	err = err ?: VC_EXPECT(ib_modify_srq(rc->srq, &attr, IB_SRQ_MAX_WR) == -EOPNOTSUPP);
	attr.srq_limit = SLOTS - 1;
	err = err ?: ib_modify_srq(rc->srq, &attr, IB_SRQ_LIMIT);
	err = err ?: vc_rc_send(rc, 0, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, wc));
	err = err ?: ib_query_srq(rc->srq, &attr);
	err = err ?: VC_EXPECT(attr.srq_limit == SLOTS - 1 && attr.max_wr == SLOTS);
	err = err ?: vc_rc_send(rc, 1, 0, VC_MESSAGE);
	err = err ?: vc_rc_send(rc, 2, 0, VC_MESSAGE);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 2, wc));
	err = err ?: VC_EXPECT(vc_rc_told(&rc->srq_events, IB_EVENT_SRQ_LIMIT_REACHED));
	err = err ?: VC_EXPECT(atomic_read(&rc->srq_calls) == 1);
	err = err ?: ib_query_srq(rc->srq, &attr);
	return err ?: VC_EXPECT(attr.srq_limit == 0);
}

static int limit(struct ib_device *device)
{
	return vc_with_rc(device, &shared, limit_body);
}

static int last_body(struct vc_rc *rc)
{
	struct ib_send_wr drain = { .wr_id = 7, .opcode = IB_WR_SEND };
	struct ib_wc wc;
	int err;

	err = post_all(rc);
	err = err ?: vc_set_state(rc->to, IB_QPS_ERR);
	err = err ?: VC_EXPECT(vc_rc_told(&rc->to_events, IB_EVENT_QP_LAST_WQE_REACHED));
	err = err ?: VC_EXPECT(ib_poll_cq(rc->recv.cq, 1, &wc) == 0);
	err = err ?: VC_EXPECT(vc_rc_recv(rc, SLOTS, VC_MESSAGE) == -ENOMEM);
	err = err ?: ib_post_send(rc->to, &drain, NULL);
	err = err ?: VC_EXPECT(vc_rc_polled(&rc->send, 1, &wc) && wc.wr_id == 7);
	return err ?: VC_EXPECT(wc.status == IB_WC_WR_FLUSH_ERR);
}

static int last(struct ib_device *device)
{
	return vc_with_rc(device, &shared, last_body);
}

static int own_queue_body(struct vc_rc *rc)
{
	struct ib_recv_wr wr = {};

	return VC_EXPECT(ib_post_recv(rc->to, &wr, NULL) == -EINVAL);
}

static int own_queue(struct ib_device *device)
{
	return vc_with_rc(device, &shared, own_queue_body);
}

const struct vc_check vc_srq_checks[] = {
	{ "an SRQ's slot is free again when its completion was polled", slots },
	{ "an SRQ's buffers are used in the order they were posted", order },
	{ "an SRQ tells once when fewer are posted than its limit", limit },
	{ "ERR takes nothing from an SRQ and tells that the last one was reached", last },
	{ "a queue pair with an SRQ has no receive queue of its own", own_queue },
	{}
};
