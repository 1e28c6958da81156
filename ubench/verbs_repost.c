// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives used receive buffers back to their queue pair, many with one call. */
#include "verbs_repost.h"

#include "verbs_endpoint.h"
#include "verbs_post.h"

void verbs_repost_init(struct verbs_repost *r, const struct verbs_endpoint *ep)
{
	uint32_t i;

	r->n = 0;
	for (i = 0; i < VERBS_REPOST_LIST; i++) {
		r->sges[i] = (struct ibv_sge){ .length = ep->slot_bytes, .lkey = ep->mr->lkey };
		r->wrs[i] = (struct ibv_recv_wr){
			.next = &r->wrs[i + 1],
			.sg_list = &r->sges[i],
			.num_sge = 1,
		};
	}
}

int verbs_repost_flush(struct verbs_repost *r, const struct verbs_endpoint *ep, uint32_t qp)
{
	struct ibv_recv_wr *last, *bad;
	int ret;

	if (!r->n)
		return 0;
	last = &r->wrs[r->n - 1];
	last->next = NULL;
	ret = ibv_post_recv(ep->qps[qp].qp, r->wrs, &bad);
	last->next = last + 1;
	r->n = 0;
	return ret;
}

int verbs_repost_add(struct verbs_repost *r, const struct verbs_endpoint *ep, uint32_t qp,
		     uint32_t slot)
{
	r->wrs[r->n].wr_id = verbs_wr_id(qp, slot);
	r->sges[r->n].addr = (uintptr_t)verbs_endpoint_slot(ep, qp, slot);
	return ++r->n == VERBS_REPOST_LIST ? verbs_repost_flush(r, ep, qp) : 0;
}
