/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives used receive buffers back to their queue pair, many with one call. */
#ifndef UBENCH_VERBS_REPOST_H
#define UBENCH_VERBS_REPOST_H

#include <stdint.h>

#include <infiniband/verbs.h>

struct verbs_endpoint;

#define VERBS_REPOST_LIST 32u

/* Buffers of one queue pair on their way back. */
struct verbs_repost {
	uint32_t n;
	struct ibv_recv_wr wrs[VERBS_REPOST_LIST];
	struct ibv_sge sges[VERBS_REPOST_LIST];
};

void verbs_repost_init(struct verbs_repost *r, const struct verbs_endpoint *ep);

/* Add slot of queue pair qp; posts when the list is full. 0 or a positive errno. */
int verbs_repost_add(struct verbs_repost *r, const struct verbs_endpoint *ep, uint32_t qp,
		     uint32_t slot);
/* Post what there is. 0 or a positive errno. */
int verbs_repost_flush(struct verbs_repost *r, const struct verbs_endpoint *ep, uint32_t qp);

#endif
