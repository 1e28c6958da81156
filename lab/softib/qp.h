/* SPDX-License-Identifier: GPL-2.0-only */
/* Queue pairs: their queues, their numbers, their life. */
#ifndef SOFTIB_QP_H
#define SOFTIB_QP_H

#include "ah.h"
#include "ring.h"

#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct seq_file;
struct softib_dev;
struct softib_port;
struct softib_rc;
struct softib_srq;

/**
 * struct softib_send_wqe - a posted send request
 * @ah:  identifies the address handle, never followed
 * @av:  copy of its address vector; the GRH is copied only if there is one
 * @len: octets in @sge
 */
struct softib_send_wqe {
	u64 wr_id;
	const struct softib_ah *ah;
	u32 dest_qpn;
	u32 qkey;
	u32 len;
	u16 pkey_index;
	u8 num_sge;
	u8 opcode;
	u32 send_flags;
	__be32 imm_data;
	struct softib_av av;
	struct ib_sge sge[];
};

/**
 * struct softib_recv_wqe - a posted receive request
 * @wc:        its completion, filled when a message or a flush ends it
 * @len:       octets of room in @sge
 * @ended:     @wc is valid
 * @solicited: the message asked for a solicited event
 */
struct softib_recv_wqe {
	struct ib_wc wc;
	u32 len;
	u8 num_sge;
	bool ended;
	bool solicited;
	struct ib_sge sge[];
};

/**
 * struct softib_queue - a send or receive queue
 * @lock:    guards @ring (but ring.tail), @busy and, together with the other queue's lock, the QP
 *           state
 * @ring:    indices
 * @slots:   ring.mask + 1 slots of @stride octets
 * @max_sge: scatter/gather entries of a slot
 * @busy:    send queue: somebody processes it, and will see whatever is posted meanwhile
 */
struct softib_queue {
	spinlock_t lock; /* see above */
	struct softib_ring ring;
	void *slots;
	u32 stride;
	u32 max_sge;
	bool busy;
};

/**
 * struct softib_qp - queue pair
 * @port:      set on the way to INIT (QP0 and QP1: at creation)
 * @state:     enum ib_qp_state; written under both queue locks, in the order sq, rq
 * @is_data:   counted in hw_counters: neither QP0 nor QP1
 * @signal_all: every send request asks for a completion
 * @block_loopback: multicast messages of its own do not come back
 * @rc:        the connection of an RC queue pair; NULL for datagrams
 * @srq:       where it takes receive requests, or NULL: @rq
 * @sqd_notify: SQD raises an event when the send queue is drained
 * @engine_node: links the queue pair into its HCA's engine while @sq is busy and waits for it
 * @idle:      waits for a queue to come to rest
 * @events:    bits of enum ib_event_type the consumer is to be told by @event_work
 * @modify:    serialises modify and query
 * @attr:      what modify set, for query
 */
struct softib_qp {
	struct ib_qp ibqp;
	struct softib_dev *dev;
	struct softib_port *port;
	struct softib_queue sq;
	struct softib_queue rq;
	u8 state;
	bool is_data;
	bool signal_all;
	bool block_loopback;
	u16 pkey_index;
	u32 qkey;
	bool sqd_notify;
	struct softib_rc *rc;
	struct softib_srq *srq;
	struct llist_node engine_node;
	wait_queue_head_t idle;
	unsigned long events;
	struct work_struct event_work;
	struct mutex modify; /* see above */
	struct ib_qp_attr attr;
	struct ib_qp_init_attr init_attr;
};

static inline struct softib_qp *softib_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct softib_qp, ibqp);
}

/* The slot with free-running index @index. */
static inline void *softib_slot(const struct softib_queue *queue, u32 index)
{
	return queue->slots + (size_t)(index & queue->ring.mask) * queue->stride;
}

/* Octets of a receive slot. */
static inline u32 softib_recv_stride(u32 max_sge)
{
	return ALIGN(struct_size_t(struct softib_recv_wqe, sge, max_sge), 8);
}

void softib_recv_wqe_set(struct softib_recv_wqe *wqe, const struct ib_recv_wr *wr);

int softib_qp_table_alloc(struct softib_dev *dev);
void softib_qp_table_free(struct softib_dev *dev);
struct softib_qp *softib_qp_find(struct softib_dev *dev, u32 qpn);
void softib_qps_check_ah(struct softib_dev *dev, const struct softib_ah *ah);
void softib_qps_kick(struct softib_dev *dev);
void softib_qps_show(struct softib_dev *dev, struct seq_file *file);

int softib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
int softib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);
int softib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init_attr);
int softib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int softib_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		     const struct ib_send_wr **bad_wr);
int softib_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		     const struct ib_recv_wr **bad_wr);

void softib_qp_quiesce(struct softib_qp *qp);
void softib_qp_break(struct softib_qp *qp);

void softib_qp_events_init(struct softib_qp *qp);
void softib_qp_events_cancel(struct softib_qp *qp);
void softib_qp_raise(struct softib_qp *qp, enum ib_event_type type);

#endif
