// SPDX-License-Identifier: GPL-2.0-or-later
/* What one side of a run holds on a device: protection domain, completion queue, memory, queue pairs. */
#include "verbs_endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_cma.h>

#include "affinity.h"
#include "cmd.h"
#include "verbs_error.h"

#define CACHE_LINE 64u
/* Acknowledging an event takes a lock; many at once cost the same. */
#define EVENTS_PER_ACK 64u

static uint32_t depth_of(const struct verbs_endpoint_config *c)
{
	return c->send_depth + c->recv_depth;
}

static int make_memory(struct verbs_endpoint *ep, struct result_error *err)
{
	const struct verbs_endpoint_config *c = &ep->config;
	uint32_t bytes = c->buffer_bytes;

	/* A receiver takes any message of the port, so that a foreign one does no harm. */
	if (c->recv_depth)
		bytes = verbs_device_mtu_bytes(ep->dev) + VERBS_GRH_BYTES;

	ep->slot_bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	ep->memory_bytes = (size_t)c->n_qps * depth_of(c) * ep->slot_bytes;
	ep->memory = affinity_alloc_on(ep->memory_bytes, ep->numa_node);
	ep->qps = calloc(c->n_qps, sizeof(*ep->qps));
	if (!ep->memory || !ep->qps)
		return verbs_fail_errno(err, "message buffers", ENOMEM);
	ep->mr = ibv_reg_mr(ep->pd, ep->memory, ep->memory_bytes,
			    c->recv_depth ? IBV_ACCESS_LOCAL_WRITE : 0);
	if (!ep->mr)
		return verbs_fail_errno(err, "memory registration", errno);
	return 0;
}

/* Every WR can complete, if only with an error: unless told otherwise the queue has room for all. */
static int make_cq(struct verbs_endpoint *ep, struct result_error *err)
{
	const struct verbs_endpoint_config *c = &ep->config;
	uint64_t entries = c->cq_entries ? c->cq_entries : (uint64_t)c->n_qps * depth_of(c);

	if (entries > (uint64_t)ep->dev->attr.max_cqe)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "%u queue pairs of depth %u need %lu completion queue entries, %s has %d; "
				  "take fewer (-q) or smaller ones (-t, -r)",
				  c->n_qps, depth_of(c), (unsigned long)entries,
				  verbs_device_name(ep->dev), ep->dev->attr.max_cqe);
	ep->cq = ibv_create_cq(ep->dev->ctx, (int)entries, NULL, ep->channel, 0);
	if (!ep->cq)
		return verbs_fail_errno(err, "completion queue", errno);
	if (c->moderation_count) {
		struct ibv_modify_cq_attr attr = {
			.attr_mask = IBV_CQ_ATTR_MODERATE,
			.moderate = { c->moderation_count, c->moderation_usecs },
		};
		int ret = ibv_modify_cq(ep->cq, &attr);

		if (ret)
			return verbs_fail_errno(err, "completion queue moderation (--moderate)", ret);
	}
	return 0;
}

static int make_channel(struct verbs_endpoint *ep, struct result_error *err)
{
	ep->channel = ibv_create_comp_channel(ep->dev->ctx);
	if (!ep->channel)
		return verbs_fail_errno(err, "completion channel", errno);
	/* A sender looks up in between, a receiver only sleeps. */
	if (ep->config.send_depth &&
	    fcntl(ep->channel->fd, F_SETFL, fcntl(ep->channel->fd, F_GETFL) | O_NONBLOCK))
		return verbs_fail_errno(err, "completion channel", errno);
	return 0;
}

int verbs_endpoint_init(struct verbs_endpoint *ep, struct verbs_device *dev,
			const struct verbs_endpoint_config *config, struct result_error *err)
{
	int ret = 0;

	memset(ep, 0, sizeof(*ep));
	ep->dev = dev;
	ep->config = *config;
	ep->numa_node = config->numa_node >= 0 ? (int)config->numa_node : dev->numa_node;
	if (config->buffer_bytes > verbs_device_mtu_bytes(dev))
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "a message of %u bytes exceeds the path MTU of port %u of %s: take at most -s %u",
				  config->buffer_bytes, dev->port, verbs_device_name(dev),
				  verbs_device_mtu_bytes(dev));
	ep->pd = ibv_alloc_pd(dev->ctx);
	if (!ep->pd)
		return verbs_fail_errno(err, "protection domain", errno);
	if (config->uses_events)
		ret = make_channel(ep, err);
	if (!ret)
		ret = make_memory(ep, err);
	if (!ret)
		ret = make_cq(ep, err);
	if (ret)
		verbs_endpoint_free(ep);
	return ret;
}

void verbs_endpoint_free(struct verbs_endpoint *ep)
{
	uint32_t i;

	for (i = 0; i < ep->n_qps; i++) {
		if (ep->qps[i].id)
			rdma_destroy_qp(ep->qps[i].id);
		else
			ibv_destroy_qp(ep->qps[i].qp);
	}
	ep->n_qps = 0;
	if (ep->cq) {
		/* ibv_destroy_cq() waits for events that were never acknowledged. */
		if (ep->unacked_events)
			ibv_ack_cq_events(ep->cq, ep->unacked_events);
		ibv_destroy_cq(ep->cq);
	}
	if (ep->channel)
		ibv_destroy_comp_channel(ep->channel);
	if (ep->mr)
		ibv_dereg_mr(ep->mr);
	affinity_free(ep->memory, ep->memory_bytes);
	free(ep->qps);
	if (ep->pd)
		ibv_dealloc_pd(ep->pd);
	memset(ep, 0, sizeof(*ep));
}

static void qp_attributes(const struct verbs_endpoint *ep, bool has_wr_api,
			  struct ibv_qp_init_attr_ex *attr)
{
	const struct verbs_endpoint_config *c = &ep->config;

	*attr = (struct ibv_qp_init_attr_ex){
		.send_cq = ep->cq,
		.recv_cq = ep->cq,
		.cap = {
			.max_send_wr = c->send_depth ? c->send_depth : 1,
			.max_recv_wr = c->recv_depth ? c->recv_depth : 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = c->inline_bytes,
		},
		.qp_type = IBV_QPT_UD,
		.sq_sig_all = 0,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = ep->pd,
	};
	if (has_wr_api) {
		attr->comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr->send_ops_flags = IBV_QP_EX_WITH_SEND;
	}
}

/* 0 or the positive errno. */
static int create_qp(struct verbs_endpoint *ep, struct verbs_qp *qp, bool has_wr_api)
{
	struct ibv_qp_init_attr_ex attr;

	qp_attributes(ep, has_wr_api, &attr);
	if (qp->id) {
		if (rdma_create_qp_ex(qp->id, &attr))
			return errno;
		qp->qp = qp->id->qp;
	} else {
		qp->qp = ibv_create_qp_ex(ep->dev->ctx, &attr);
		if (!qp->qp)
			return errno;
	}
	qp->ex = has_wr_api ? ibv_qp_to_qp_ex(qp->qp) : NULL;
	ep->inline_bytes = attr.cap.max_inline_data;
	return 0;
}

/* Reset to ready-to-send. rdma_cm does this for its own queue pairs. 0 or the positive errno. */
static int activate(const struct verbs_endpoint *ep, struct ibv_qp *qp, uint32_t qkey)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.pkey_index = 0,
		.port_num = ep->dev->port,
		.qkey = qkey,
	};
	int ret;

	ret = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
	attr.qp_state = IBV_QPS_RTR;
	if (!ret)
		ret = ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	attr.sq_psn = 0;
	if (!ret)
		ret = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
	return ret;
}

int verbs_endpoint_add_qp(struct verbs_endpoint *ep, struct rdma_cm_id *id, uint32_t qkey,
			  struct result_error *err)
{
	struct verbs_qp *qp = &ep->qps[ep->n_qps];
	int e;

	qp->id = id;
	e = create_qp(ep, qp, ep->config.post_api != VERBS_POST_SEND);
	if (e == EOPNOTSUPP && ep->config.post_api == VERBS_POST_AUTO)
		e = create_qp(ep, qp, false);
	if (e)
		return verbs_fail_errno(err, "queue pair", e);
	ep->n_qps++;
	e = id ? 0 : activate(ep, qp->qp, qkey);
	return e ? verbs_fail_errno(err, "queue pair's way to ready-to-send", e) : 0;
}

/* Take an event if there is one, waiting for it as verbs_endpoint_poll() does. 0 or -errno. */
static int wait_event(struct verbs_endpoint *ep, int timeout_ms)
{
	struct pollfd p = { .fd = ep->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;

	if (timeout_ms != VERBS_UNTIL_SIGNAL && poll(&p, 1, timeout_ms) <= 0)
		return 0;
	if (ibv_get_cq_event(ep->channel, &cq, &context))
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	ep->events++;
	if (++ep->unacked_events == EVENTS_PER_ACK) {
		ibv_ack_cq_events(ep->cq, ep->unacked_events);
		ep->unacked_events = 0;
	}
	return 0;
}

int verbs_endpoint_poll(struct verbs_endpoint *ep, struct ibv_wc *wc, int max, int timeout_ms)
{
	int n = ibv_poll_cq(ep->cq, max, wc);
	int ret;

	if (n || !ep->channel)
		return n < 0 ? -EIO : n;
	ret = ibv_req_notify_cq(ep->cq, 0);
	if (ret)
		return -ret;
	n = ibv_poll_cq(ep->cq, max, wc);
	if (n)
		return n < 0 ? -EIO : n;
	ret = wait_event(ep, timeout_ms);
	if (ret)
		return ret;
	n = ibv_poll_cq(ep->cq, max, wc);
	return n < 0 ? -EIO : n;
}
