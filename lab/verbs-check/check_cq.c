// SPDX-License-Identifier: GPL-2.0-only
/* Completion queues: when an event comes, how often, and from where. */
#include "check.h"
#include "pair.h"

#include <linux/delay.h>

static const struct vc_options defaults = { .signaling = IB_SIGNAL_ALL_WR };

static int once_body(struct vc_pair *pair)
{
	int err;

	err = ib_req_notify_cq(pair->send.cq, IB_CQ_NEXT_COMP);
	err = err ?: vc_send(pair, 1, 0);
	err = err ?: vc_send(pair, 2, 0);
	err = err ?: VC_EXPECT(vc_events_reach(&pair->send, 1));
	err = err ?: vc_send(pair, 3, 0);
	return err ?: VC_EXPECT(vc_events_reach(&pair->send, 1));
}

static int once(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, once_body);
}

static int unarmed_body(struct vc_pair *pair)
{
	int err = vc_send(pair, 1, 0);

	return err ?: VC_EXPECT(vc_events_reach(&pair->send, 0));
}

static int unarmed(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, unarmed_body);
}

static int missed_body(struct vc_pair *pair)
{
	const enum ib_cq_notify_flags report = IB_CQ_NEXT_COMP | IB_CQ_REPORT_MISSED_EVENTS;
	struct ib_wc wc;
	int err;

	err = vc_send(pair, 1, 0);
	err = err ?: VC_EXPECT(ib_req_notify_cq(pair->send.cq, IB_CQ_NEXT_COMP) == 0);
	err = err ?: VC_EXPECT(ib_req_notify_cq(pair->send.cq, report) == 1);
	err = err ?: VC_EXPECT(vc_events_reach(&pair->send, 0));
	err = err ?: VC_EXPECT(ib_poll_cq(pair->send.cq, 1, &wc) == 1);
	err = err ?: VC_EXPECT(ib_req_notify_cq(pair->send.cq, report) == 0);
	err = err ?: vc_send(pair, 2, 0);
	return err ?: VC_EXPECT(vc_events_reach(&pair->send, 1));
}

static int missed(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, missed_body);
}

static int solicited_body(struct vc_pair *pair)
{
	int err;

	err = vc_recv(pair, 1, VC_GRH + VC_MESSAGE);
	err = err ?: vc_recv(pair, 2, VC_GRH + VC_MESSAGE);
	err = err ?: ib_req_notify_cq(pair->recv.cq, IB_CQ_SOLICITED);
	err = err ?: vc_send(pair, 1, 0);
	err = err ?: VC_EXPECT(vc_events_reach(&pair->recv, 0));
	err = err ?: vc_send(pair, 2, IB_SEND_SOLICITED);
	return err ?: VC_EXPECT(vc_events_reach(&pair->recv, 1));
}

static int solicited(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, solicited_body);
}

static int stronger_body(struct vc_pair *pair)
{
	int err;

	err = vc_recv(pair, 1, VC_GRH + VC_MESSAGE);
	err = err ?: ib_req_notify_cq(pair->recv.cq, IB_CQ_NEXT_COMP);
	err = err ?: ib_req_notify_cq(pair->recv.cq, IB_CQ_SOLICITED);
	err = err ?: vc_send(pair, 1, 0);
	return err ?: VC_EXPECT(vc_events_reach(&pair->recv, 1));
}

static int stronger(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, stronger_body);
}

static int interrupt_body(struct vc_pair *pair)
{
	int err;

	err = ib_req_notify_cq(pair->send.cq, IB_CQ_NEXT_COMP);
	err = err ?: vc_send(pair, 1, 0);
	err = err ?: VC_EXPECT(vc_events_reach(&pair->send, 1));
	err = err ?: VC_EXPECT(atomic_read(&pair->send.hard) == 1);
	return err ?: VC_EXPECT(atomic_read(&pair->send.other_cpu) == 0);
}

static int interrupt(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, interrupt_body);
}

static int moderated_body(struct vc_pair *pair)
{
	int err;

	err = rdma_set_cq_moderation(pair->send.cq, 3, 50000);
	err = err ?: ib_req_notify_cq(pair->send.cq, IB_CQ_NEXT_COMP);
	err = err ?: vc_send(pair, 1, 0);
	err = err ?: vc_send(pair, 2, 0);
	err = err ?: VC_EXPECT(atomic_read(&pair->send.events) == 0);
	err = err ?: vc_send(pair, 3, 0);
	err = err ?: VC_EXPECT(vc_events_reach(&pair->send, 1));
	err = err ?: ib_req_notify_cq(pair->send.cq, IB_CQ_NEXT_COMP);
	err = err ?: vc_send(pair, 4, 0);
	return err ?: VC_EXPECT(vc_events_reach(&pair->send, 2));
}

static int moderated(struct ib_device *device)
{
	return vc_with_pair(device, &defaults, moderated_body);
}

static int overflow_body(struct vc_pair *pair)
{
	int i, err = 0, tries = 1000;

	for (i = 0; i < 3 && !err; i++)
		err = vc_send(pair, i, 0);
	while (!err && !atomic_read(&pair->fatal) && tries--)
		usleep_range(500, 1000);
	err = err ?: VC_EXPECT(atomic_read(&pair->fatal) == 1);
	while (!err && !atomic_read(&pair->send.errors) && tries-- > 0)
		usleep_range(500, 1000);
	return err ?: VC_EXPECT(atomic_read(&pair->send.errors) == 1);
}

static int overflow(struct ib_device *device)
{
	static const struct vc_options two = { .signaling = IB_SIGNAL_ALL_WR, .send_cqes = 2 };

	return vc_with_pair(device, &two, overflow_body);
}

const struct vc_check vc_cq_checks[] = {
	{ "arming gives one event, for the next completion", once },
	{ "without arming there is none", unarmed },
	{ "what is there already is reported, and raises no event", missed },
	{ "armed for solicited completions, others raise none", solicited },
	{ "asking for solicited ones does not weaken asking for any", stronger },
	{ "the handler runs in a hard interrupt on the vector's CPU", interrupt },
	{ "a moderated event waits for its count, or its time", moderated },
	{ "a lost completion is a CQ error and a fatal QP error", overflow },
	{}
};
