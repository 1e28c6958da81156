/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared receive queues: receive requests that whichever connection needs one takes. */
#ifndef SOFTIB_SRQ_H
#define SOFTIB_SRQ_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct softib_recv_wqe;

/* Whose a slot is: the consumer's to post into, or the HCA's until its completion was polled. */
#define SOFTIB_SRQ_FREE 0
#define SOFTIB_SRQ_POSTED 1

/**
 * struct softib_srq - shared receive queue
 * @lock:    guards what follows
 * @slots:   @size receive requests of @stride octets
 * @owner:   of each slot; written to FREE by CQ polling alone
 * @order:   numbers of the posted slots, oldest first, a ring of @mask + 1
 * @head:    index in @order of the next one to post
 * @next:    index in @order of the next one to take
 * @search:  slot where the search for a free one starts
 * @limit:   an event is due when fewer are posted; 0 for none
 * @limit_work: tells of it
 */
struct softib_srq {
	struct ib_srq ibsrq;
	spinlock_t lock; /* see above */
	void *slots;
	u32 *owner;
	u32 *order;
	u32 stride;
	u32 size;
	u32 mask;
	u32 max_sge;
	u32 head;
	u32 next;
	u32 search;
	u32 limit;
	struct work_struct limit_work;
};

static inline struct softib_srq *softib_srq(struct ib_srq *ibsrq)
{
	return container_of(ibsrq, struct softib_srq, ibsrq);
}

int softib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init, struct ib_udata *udata);
int softib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata);
int softib_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata);
int softib_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr);
int softib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad_wr);

struct softib_recv_wqe *softib_srq_take(struct softib_srq *srq);
u32 *softib_srq_owner(struct softib_srq *srq, const struct softib_recv_wqe *wqe);

#endif
