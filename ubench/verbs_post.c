// SPDX-License-Identifier: GPL-2.0-or-later
/* Hands planned work requests to a queue pair, by ibv_post_send() or by ibv_wr_*(). */
#include "verbs_post.h"

#include <errno.h>

#include "clock.h"
#include "verbs_sender.h"
#include "wire.h"

/* Reading the clock for each packet would cost more than the rest of its bookkeeping. */
#define PACKETS_PER_STAMP 64u

/* One WR as planned: its number, buffer and flags. */
struct planned {
	uint64_t id;
	char *buffer;
	uint32_t lkey;
	unsigned int flags;
};

static struct planned plan_one(struct verbs_sender *s, uint32_t flow)
{
	struct verbs_plan *plan = &s->flows[flow].plan;
	bool is_signaled = verbs_plan_take(plan);
	uint64_t sequence = plan->posted - 1;
	struct planned one = {
		.id = verbs_wr_id(flow, plan->posted),
		/* The slot's previous message has left the queue: the plan never exceeds the depth. */
		.buffer = verbs_endpoint_slot(s->ep, flow, (uint32_t)(sequence % plan->depth)),
		.lkey = s->ep->mr->lkey,
		.flags = s->send_flags,
	};

	if (is_signaled) {
		one.flags |= IBV_SEND_SIGNALED;
		s->flows[flow].signaled++;
	}
	if (s->config.message_bytes >= WIRE_HEADER_BYTES) {
		wire_set_sequence(one.buffer, sequence);
		wire_set_time(one.buffer,
			      sequence % PACKETS_PER_STAMP ? 0 : (uint64_t)clock_now_ns());
	}
	if (plan->posted == s->config.fault_wr && !flow) {
		one.lkey = ~one.lkey;
		one.flags &= ~(unsigned int)IBV_SEND_INLINE;
	}
	return one;
}

/* What was planned but not posted is planned again next time. */
static void take_back(struct verbs_flow *f, const struct verbs_flow *before, uint32_t posted)
{
	f->plan = before->plan;
	f->signaled = before->signaled;
	while (posted--)
		f->signaled += verbs_plan_take(&f->plan);
}

static int post_send(struct verbs_sender *s, uint32_t flow, uint32_t n)
{
	struct verbs_flow *f = &s->flows[flow], before = *f;
	struct ibv_send_wr *last = &f->wrs[n - 1], *bad = NULL;
	uint32_t i;
	int ret;

	for (i = 0; i < n; i++) {
		struct planned one = plan_one(s, flow);

		f->wrs[i].wr_id = one.id;
		f->wrs[i].send_flags = one.flags;
		f->sges[i].addr = (uintptr_t)one.buffer;
		f->sges[i].lkey = one.lkey;
	}
	last->next = NULL;
	ret = ibv_post_send(s->ep->qps[flow].qp, f->wrs, &bad);
	last->next = last + 1;
	if (ret)
		take_back(f, &before, bad ? (uint32_t)(bad - f->wrs) : 0);
	return -ret;
}

static int post_wr(struct verbs_sender *s, uint32_t flow, uint32_t n)
{
	struct verbs_flow *f = &s->flows[flow], before = *f;
	struct ibv_qp_ex *ex = s->ep->qps[flow].ex;
	uint32_t i;
	int ret;

	ibv_wr_start(ex);
	for (i = 0; i < n; i++) {
		struct planned one = plan_one(s, flow);

		ex->wr_id = one.id;
		/* IBV_SEND_INLINE is implied by the setter below, but librxe forgets it. */
		ex->wr_flags = one.flags;
		ibv_wr_send(ex);
		ibv_wr_set_ud_addr(ex, f->path.ah, f->path.qpn, f->path.qkey);
		if (one.flags & IBV_SEND_INLINE)
			ibv_wr_set_inline_data(ex, one.buffer, s->config.message_bytes);
		else
			ibv_wr_set_sge(ex, one.lkey, (uintptr_t)one.buffer, s->config.message_bytes);
	}
	ret = ibv_wr_complete(ex);
	if (ret)
		take_back(f, &before, 0);
	return -ret;
}

int verbs_post(struct verbs_sender *s, uint32_t flow, uint32_t n)
{
	s->flows[flow].posts++;
	return s->ep->qps[flow].ex ? post_wr(s, flow, n) : post_send(s, flow, n);
}
