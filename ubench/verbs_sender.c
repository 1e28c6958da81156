// SPDX-License-Identifier: GPL-2.0-or-later
/* The sending side of a VERBS_UD run: one thread that posts to all queue pairs as the planner says. */
#include "verbs_sender.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "cmd.h"
#include "verbs_error.h"
#include "verbs_post.h"
#include "wire.h"

#define POLL_BATCH 64
#define EVENT_WAIT_MS 100
/* A device that completes nothing for so long is broken; the limit is for the user's sake. */
#define STALL_NS (10 * NSEC_PER_SEC)

static void fill_buffers(struct verbs_sender *s)
{
	uint32_t flow, slot;

	for (flow = 0; flow < s->ep->n_qps; flow++)
		for (slot = 0; slot < s->ep->config.send_depth; slot++)
			wire_prepare(verbs_endpoint_slot(s->ep, flow, slot),
				     s->config.message_bytes, s->config.nonce, flow);
}

static int init_flow(struct verbs_sender *s, struct verbs_flow *f, const struct verbs_path *path)
{
	const struct verbs_sender_config *c = &s->config;
	uint32_t i;

	f->path = *path;
	verbs_plan_init(&f->plan, c->signal_rate, c->post_list, s->ep->config.send_depth, c->count);
	f->wrs = calloc(c->post_list, sizeof(*f->wrs));
	f->sges = calloc(c->post_list, sizeof(*f->sges));
	if (!f->wrs || !f->sges)
		return -ENOMEM;
	for (i = 0; i < c->post_list; i++) {
		f->sges[i].length = c->message_bytes;
		f->wrs[i] = (struct ibv_send_wr){
			.next = &f->wrs[i + 1],
			.sg_list = &f->sges[i],
			.num_sge = 1,
			.opcode = IBV_WR_SEND,
			.wr.ud = { path->ah, path->qpn, path->qkey },
		};
	}
	return 0;
}

int verbs_sender_init(struct verbs_sender *s, struct verbs_endpoint *ep,
		      const struct verbs_sender_config *config, const struct verbs_path *paths)
{
	uint32_t i;

	memset(s, 0, sizeof(*s));
	s->ep = ep;
	s->config = *config;
	s->flows = calloc(ep->n_qps, sizeof(*s->flows));
	if (!s->flows)
		return -ENOMEM;
	for (i = 0; i < ep->n_qps; i++) {
		if (init_flow(s, &s->flows[i], &paths[i])) {
			verbs_sender_free(s);
			return -ENOMEM;
		}
	}
	if (config->message_bytes <= ep->config.inline_bytes)
		s->send_flags = IBV_SEND_INLINE;
	fill_buffers(s);
	return 0;
}

void verbs_sender_free(struct verbs_sender *s)
{
	uint32_t i;

	for (i = 0; s->flows && i < s->ep->n_qps; i++) {
		free(s->flows[i].wrs);
		free(s->flows[i].sges);
	}
	free(s->flows);
	s->flows = NULL;
}

uint64_t verbs_sender_sent(const struct verbs_sender *s, uint32_t flow)
{
	return s->flows[flow].plan.retired;
}

static int retire(struct verbs_sender *s, const struct ibv_wc *wc)
{
	uint32_t flow = verbs_wr_flow(wc->wr_id);
	uint64_t wr = verbs_wr_number(wc->wr_id);

	if (wc->status != IBV_WC_SUCCESS) {
		/* Those before it have left; it has not. */
		verbs_plan_retire(&s->flows[flow].plan, wr - 1);
		return verbs_fail_wc(&s->error, wc, flow, wr);
	}
	s->completions++;
	if (verbs_plan_retire(&s->flows[flow].plan, wr) < 0)
		return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "data",
				  "the device completed work request %" PRIu64 " that was never posted; its driver is broken",
				  wr);
	return 0;
}

static uint64_t outstanding(const struct verbs_sender *s)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < s->ep->n_qps; i++)
		n += s->flows[i].plan.posted - s->flows[i].plan.retired;
	return n;
}

/* Take completions, at least one unless the device stalls or is broken. 0 or -EIO. */
static int reap(struct verbs_sender *s)
{
	struct ibv_wc wc[POLL_BATCH];
	unsigned int empty = 0;
	int64_t since_ns = 0;
	int i, n, ret = 0;

	while (!(n = verbs_endpoint_poll(s->ep, wc, POLL_BATCH, EVENT_WAIT_MS))) {
		if (atomic_load_explicit(s->is_broken, memory_order_relaxed))
			return -EIO;
		if (++empty % VERBS_POLLS_PER_YIELD == 0)
			sched_yield();
		if (!since_ns)
			since_ns = clock_now_ns();
		else if (clock_now_ns() - since_ns > STALL_NS)
			return verbs_fail(&s->error, UBENCH_EXIT_FAILED, "data",
					  "no completion for %d s with %" PRIu64 " work requests posted; the device is stuck, see dmesg",
					  (int)(STALL_NS / NSEC_PER_SEC), outstanding(s));
	}
	if (n < 0)
		return verbs_fail_errno(&s->error, "completion queue", -n);
	for (i = 0; i < n && !ret; i++)
		ret = retire(s, &wc[i]);
	return ret;
}

enum progress { NOTHING_LEFT, POSTED, MUST_REAP };

/* One turn over the flows. An enum progress, or -EIO. */
static int post_turn(struct verbs_sender *s)
{
	enum progress progress = NOTHING_LEFT;
	uint64_t total = atomic_load_explicit(&s->posted, memory_order_relaxed);
	uint32_t i, n;
	int ret;

	for (i = 0; i < s->ep->n_qps; i++) {
		switch (verbs_plan_next(&s->flows[i].plan, &n)) {
		case VERBS_PLAN_POST:
			ret = verbs_post(s, i, n);
			if (ret)
				return verbs_fail_errno(&s->error, "post to the send queue", -ret);
			progress = POSTED;
			total += n;
			break;
		case VERBS_PLAN_POLL:
			if (progress == NOTHING_LEFT)
				progress = MUST_REAP;
			break;
		case VERBS_PLAN_DONE:
			break;
		}
	}
	atomic_store_explicit(&s->posted, total, memory_order_relaxed);
	return progress;
}

static void send_all(struct worker *w)
{
	struct verbs_sender *s = (struct verbs_sender *)((char *)w - offsetof(struct verbs_sender, worker));
	bool is_stopping = false;
	uint32_t i;
	int ret;

	s->start_ns = clock_now_ns();
	do {
		if (!is_stopping && atomic_load_explicit(&w->should_stop, memory_order_relaxed)) {
			is_stopping = true;
			for (i = 0; i < s->ep->n_qps; i++)
				verbs_plan_stop(&s->flows[i].plan);
		}
		ret = post_turn(s);
		if (ret == MUST_REAP)
			ret = reap(s) ? -EIO : MUST_REAP;
	} while (ret > 0);
	s->end_ns = clock_now_ns();
}

int verbs_sender_start(struct verbs_sender *s)
{
	s->worker.body = send_all;
	return worker_start(&s->worker);
}
