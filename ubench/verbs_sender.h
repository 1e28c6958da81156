/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sending side of a VERBS_UD run: one thread that posts to all queue pairs as the planner says. */
#ifndef UBENCH_VERBS_SENDER_H
#define UBENCH_VERBS_SENDER_H

#include <stdatomic.h>
#include <stdint.h>

#include "result.h"
#include "verbs_endpoint.h"
#include "verbs_plan.h"
#include "worker.h"

/* Where the packets of a flow go. */
struct verbs_path {
	struct ibv_ah *ah;	/* owned by whoever made it */
	uint32_t qpn;
	uint32_t qkey;
};

struct verbs_sender_config {
	uint64_t nonce;
	uint32_t message_bytes;
	uint32_t signal_rate;
	uint32_t post_list;
	uint64_t count;		/* WRs per queue pair, or VERBS_PLAN_ENDLESS */
	uint64_t fault_wr;	/* this WR of flow 0 gets a wrong memory key; 0: none */
};

/* One queue pair; the flow id is its index. */
struct verbs_flow {
	struct verbs_plan plan;
	struct verbs_path path;
	struct ibv_send_wr *wrs;	/* post_list of each */
	struct ibv_sge *sges;
	uint64_t signaled;
	uint64_t posts;			/* post calls (doorbells) */
};

struct verbs_sender {
	struct worker worker;
	struct verbs_endpoint *ep;	/* not owned; all its queue pairs are there */
	struct verbs_sender_config config;
	struct verbs_flow *flows;	/* ep->n_qps */
	uint32_t send_flags;		/* IBV_SEND_INLINE or 0 */
	const atomic_bool *is_broken;	/* whoever sets it knows why; completions may never come then */
	_Atomic uint64_t posted;	/* of all flows, while it runs */
	/* Valid after worker_join(). */
	int64_t start_ns;
	int64_t end_ns;
	uint64_t completions;
	struct result_error error;	/* code 0: none */
};

/* Buffers filled, nothing posted. paths has ep->n_qps entries, copied. 0 or -ENOMEM. */
int verbs_sender_init(struct verbs_sender *s, struct verbs_endpoint *ep,
		      const struct verbs_sender_config *config, const struct verbs_path *paths);
void verbs_sender_free(struct verbs_sender *s);

/* Set is_broken, worker.cpu, node and done_fd before. 0 or -errno. worker_stop() ends an endless run in order. */
int verbs_sender_start(struct verbs_sender *s);

/* After worker_join(): packets of a flow that completed without an error. */
uint64_t verbs_sender_sent(const struct verbs_sender *s, uint32_t flow);

#endif
