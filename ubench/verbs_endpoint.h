/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one side of a run holds on a device: protection domain, completion queue, memory, queue pairs. */
#ifndef UBENCH_VERBS_ENDPOINT_H
#define UBENCH_VERBS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include "result.h"
#include "verbs_device.h"

struct rdma_cm_id;

#define VERBS_MAX_QPS 256u
#define VERBS_MAX_DEPTH 32768u
#define VERBS_MAX_LIST 1024u
/* A poller alone on its CPU gains nothing by yielding; one that shares it must. */
#define VERBS_POLLS_PER_YIELD 128u
/* As timeout of verbs_endpoint_poll(), of a receiver's endpoint only. */
#define VERBS_UNTIL_SIGNAL (-1)

enum verbs_post_api {
	VERBS_POST_AUTO,	/* ibv_wr_*() where the provider has it */
	VERBS_POST_SEND,	/* ibv_post_send() */
	VERBS_POST_WR		/* ibv_wr_*(), or fail */
};

/* What to make. A sender has send_depth, a receiver recv_depth; the other is 0. */
struct verbs_endpoint_config {
	uint32_t n_qps;
	uint32_t send_depth;		/* WRs per queue pair */
	uint32_t recv_depth;
	uint32_t buffer_bytes;		/* of one message; a receiver's buffers hold the path MTU */
	uint32_t inline_bytes;		/* wanted of the send queue */
	bool uses_events;
	uint16_t moderation_count;	/* CQ moderation; 0: left alone */
	uint16_t moderation_usecs;
	enum verbs_post_api post_api;
	long numa_node;			/* of buffers and thread; -1: the device's */
	uint32_t cq_entries;		/* of the completion queue; 0: one for each WR, so that it cannot overrun */
};

struct verbs_qp {
	struct ibv_qp *qp;
	struct ibv_qp_ex *ex;		/* NULL: ibv_post_send() */
	struct rdma_cm_id *id;		/* owner of qp, or NULL; not ours */
};

struct verbs_endpoint {
	struct verbs_device *dev;	/* not owned */
	struct verbs_endpoint_config config;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;	/* NULL when polling */
	struct ibv_cq *cq;
	unsigned int unacked_events;
	uint64_t events;		/* completion events taken */
	struct ibv_mr *mr;
	char *memory;			/* n_qps * depth slots */
	size_t memory_bytes;
	int numa_node;			/* of memory; -1: any */
	uint32_t slot_bytes;
	uint32_t inline_bytes;		/* granted */
	uint32_t n_qps;			/* made so far */
	struct verbs_qp *qps;
};

/*
 * Make everything but the queue pairs, on the NUMA node of the configuration. 0,
 * or -EIO with *err explained, nothing left behind. The device must outlive it.
 */
int verbs_endpoint_init(struct verbs_endpoint *ep, struct verbs_device *dev,
			const struct verbs_endpoint_config *config, struct result_error *err);
/* Destroys the queue pairs too; ids that own one stay and must be destroyed after this. */
void verbs_endpoint_free(struct verbs_endpoint *ep);

/*
 * Make the next queue pair, ready to send, with this Q_Key. With an id it is
 * rdma_cm's, which chooses the Q_Key. 0 or -EIO.
 */
int verbs_endpoint_add_qp(struct verbs_endpoint *ep, struct rdma_cm_id *id, uint32_t qkey,
			  struct result_error *err);

/* Buffer of a slot (0..depth - 1) of a queue pair. */
static inline char *verbs_endpoint_slot(const struct verbs_endpoint *ep, uint32_t qp, uint32_t slot)
{
	uint32_t depth = ep->config.send_depth + ep->config.recv_depth;

	return ep->memory + ((size_t)qp * depth + slot) * ep->slot_bytes;
}

/*
 * Completions into wc. Polling: returns at once. With events: when there are
 * none, arms the queue, polls again (one may have come in between, and would
 * raise no event), and only then waits, at most timeout_ms, or with VERBS_UNTIL_SIGNAL until an event
 * or a signal comes, which takes one system call less. The number, 0, or -errno.
 */
int verbs_endpoint_poll(struct verbs_endpoint *ep, struct ibv_wc *wc, int max, int timeout_ms);

#endif
