// SPDX-License-Identifier: GPL-2.0-only
/* Sets up and takes down the two queue pairs, and posts to them. */
#include "pair.h"

#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>

#define VC_DEFAULT_WRS 8
#define VC_EVENT_TRIES 2000

static unsigned int vc_settle_us;
module_param_named(settle_us, vc_settle_us, uint, 0444);
MODULE_PARM_DESC(settle_us, "Microseconds a posted request may take (default 0: sent when posted)");

static void vc_completion(struct ib_cq *cq, void *context)
{
	struct vc_cq *vc = context;

	atomic_inc(&vc->events);
	if (in_hardirq())
		atomic_inc(&vc->hard);
	if (raw_smp_processor_id() != cpumask_first(cpu_online_mask))
		atomic_inc(&vc->other_cpu);
}

static void vc_cq_event(struct ib_event *event, void *context)
{
	struct vc_cq *vc = context;

	atomic_inc(&vc->errors);
}

static void vc_qp_event(struct ib_event *event, void *context)
{
	struct vc_pair *pair = context;

	if (event->event == IB_EVENT_QP_FATAL)
		atomic_inc(&pair->fatal);
}

/* A completion queue that counts its events. 0 or -errno. */
int vc_cq_create(struct ib_device *device, struct vc_cq *vc, int cqes)
{
	struct ib_cq_init_attr attr = { .cqe = cqes };
	struct ib_cq *cq;

	cq = ib_create_cq(device, vc_completion, vc_cq_event, vc, &attr);
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	vc->cq = cq;
	return 0;
}

static struct ib_qp *vc_qp_create(struct vc_pair *pair, const struct vc_options *options)
{
	struct ib_qp_init_attr attr = {
		.event_handler = vc_qp_event,
		.qp_context = pair,
		.send_cq = pair->send.cq,
		.recv_cq = pair->recv.cq,
		.cap.max_send_wr = options->send_wrs ?: VC_DEFAULT_WRS,
		.cap.max_recv_wr = options->recv_wrs ?: VC_DEFAULT_WRS,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
		.sq_sig_type = options->signaling,
		.qp_type = IB_QPT_UD,
	};

	return ib_create_qp(pair->pd, &attr);
}

/* RESET to RTS. 0 or -errno. */
int vc_to_rts(struct ib_qp *qp)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = VC_PORT,
		.qkey = VC_QKEY,
	};
	int err;

	err = ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTR;
	err = ib_modify_qp(qp, &attr, IB_QP_STATE);
	if (err)
		return err;
	attr.qp_state = IB_QPS_RTS;
	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_SQ_PSN);
}

int vc_set_state(struct ib_qp *qp, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };

	return ib_modify_qp(qp, &attr, IB_QP_STATE);
}

/* An address handle for the port itself: by LID, or by its first GID on Ethernet. */
static struct ib_ah *vc_ah_create(struct vc_pair *pair)
{
	struct rdma_ah_attr attr = { .type = rdma_ah_find_type(pair->device, VC_PORT) };
	const struct ib_gid_attr *gid;
	struct ib_port_attr port;
	struct ib_ah *ah;
	int err;

	err = ib_query_port(pair->device, VC_PORT, &port);
	if (err)
		return ERR_PTR(err);
	rdma_ah_set_port_num(&attr, VC_PORT);
	if (attr.type == RDMA_AH_ATTR_TYPE_IB) {
		rdma_ah_set_dlid(&attr, port.lid);
		return rdma_create_ah(pair->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	}
	gid = rdma_get_gid_attr(pair->device, VC_PORT, 0);
	if (IS_ERR(gid))
		return ERR_CAST(gid);
	rdma_ah_set_grh(&attr, (union ib_gid *)&gid->gid, 0, 0, 1, 0);
	rcu_read_lock();
	ether_addr_copy(attr.roce.dmac, rcu_dereference(gid->ndev)->dev_addr);
	rcu_read_unlock();
	attr.grh.sgid_attr = gid;
	ah = rdma_create_ah(pair->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	rdma_put_gid_attr(gid);
	return ah;
}

static int vc_qps_create(struct vc_pair *pair, const struct vc_options *options)
{
	struct ib_qp *qp;
	int err;

	qp = vc_qp_create(pair, options);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	pair->from = qp;
	qp = vc_qp_create(pair, options);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	pair->to = qp;
	err = vc_to_rts(pair->from);
	return err ?: vc_to_rts(pair->to);
}

static int vc_pair_fill(struct vc_pair *pair, const struct vc_options *options)
{
	struct ib_pd *pd;
	struct ib_ah *ah;
	int err;

	pair->buffer = kzalloc(VC_MAX_MESSAGE, GFP_KERNEL);
	if (!pair->buffer)
		return -ENOMEM;
	pd = ib_alloc_pd(pair->device, 0);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	pair->pd = pd;
	pair->address =
		ib_dma_map_single(pair->device, pair->buffer, VC_MAX_MESSAGE, DMA_BIDIRECTIONAL);
	err = vc_cq_create(pair->device, &pair->send, options->send_cqes ?: 64);
	if (err)
		return err;
	err = vc_cq_create(pair->device, &pair->recv, options->recv_cqes ?: 64);
	if (err)
		return err;
	err = vc_qps_create(pair, options);
	if (err)
		return err;
	ah = vc_ah_create(pair);
	if (IS_ERR(ah))
		return PTR_ERR(ah);
	pair->ah = ah;
	return 0;
}

/* The pair, in RTS, or ERR_PTR(-errno). May sleep. */
struct vc_pair *vc_pair_create(struct ib_device *device, const struct vc_options *options)
{
	struct vc_pair *pair = kzalloc(sizeof(*pair), GFP_KERNEL);
	int err;

	if (!pair)
		return ERR_PTR(-ENOMEM);
	pair->device = device;
	err = vc_pair_fill(pair, options);
	if (err) {
		vc_pair_destroy(pair);
		return ERR_PTR(err);
	}
	return pair;
}

/* Accepts a half-made pair. May sleep. */
void vc_pair_destroy(struct vc_pair *pair)
{
	if (pair->to)
		ib_destroy_qp(pair->to);
	if (pair->from)
		ib_destroy_qp(pair->from);
	if (pair->ah)
		rdma_destroy_ah(pair->ah, RDMA_DESTROY_AH_SLEEPABLE);
	if (pair->recv.cq)
		ib_destroy_cq(pair->recv.cq);
	if (pair->send.cq)
		ib_destroy_cq(pair->send.cq);
	if (pair->pd) {
		ib_dma_unmap_single(pair->device, pair->address, VC_MAX_MESSAGE, DMA_BIDIRECTIONAL);
		ib_dealloc_pd(pair->pd);
	}
	kfree(pair->buffer);
	kfree(pair);
}

/**
 * vc_with_pair() - run something with a pair of its own
 * @device:  where
 * @options: queue sizes
 * @body:    0 or -errno
 *
 * Return: what @body returns, or why there is no pair. May sleep.
 */
int vc_with_pair(struct ib_device *device, const struct vc_options *options,
		 int (*body)(struct vc_pair *pair))
{
	struct vc_pair *pair = vc_pair_create(device, options);
	int err;

	if (IS_ERR(pair))
		return PTR_ERR(pair);
	err = body(pair);
	vc_pair_destroy(pair);
	return err;
}

/* Lets the device send what was posted, if it does so later. */
void vc_settle(void)
{
	if (vc_settle_us)
		usleep_range(vc_settle_us, 2 * vc_settle_us);
}

static struct ib_ud_wr vc_wr(struct vc_pair *pair, u64 wr_id, int flags, struct ib_sge *sge,
			     u32 qkey)
{
	return (struct ib_ud_wr){
		.wr.wr_id = wr_id,
		.wr.sg_list = sge,
		.wr.num_sge = 1,
		.wr.opcode = IB_WR_SEND,
		.wr.send_flags = flags,
		.ah = pair->ah,
		.remote_qpn = pair->to->qp_num,
		.remote_qkey = qkey,
	};
}

static int vc_post(struct vc_pair *pair, u64 wr_id, int flags, struct ib_sge *sge, u32 qkey)
{
	struct ib_ud_wr wr = vc_wr(pair, wr_id, flags, sge, qkey);
	int err = ib_post_send(pair->from, &wr.wr, NULL);

	vc_settle();
	return err;
}

/* Fills in a list of @count messages from @sge, wr_id 0 and up, to be posted at once. */
void vc_chain(struct vc_pair *pair, struct ib_ud_wr *wr, int count, struct ib_sge *sge)
{
	int i;

	for (i = 0; i < count; i++) {
		wr[i] = vc_wr(pair, i, 0, sge, VC_QKEY);
		if (i)
			wr[i - 1].wr.next = &wr[i].wr;
	}
}

/* Posts one message of @octets. What ib_post_send returns. */
int vc_send_octets(struct vc_pair *pair, u64 wr_id, int flags, u32 octets)
{
	struct ib_sge sge = { pair->address, octets, pair->pd->local_dma_lkey };

	return vc_post(pair, wr_id, flags, &sge, VC_QKEY);
}

int vc_send(struct vc_pair *pair, u64 wr_id, int flags)
{
	return vc_send_octets(pair, wr_id, flags, VC_MESSAGE);
}

/* With a local key of the caller's. */
int vc_send_key(struct vc_pair *pair, u64 wr_id, int flags, u32 lkey)
{
	struct ib_sge sge = { pair->address, VC_MESSAGE, lkey };

	return vc_post(pair, wr_id, flags, &sge, VC_QKEY);
}

/* With a Q_Key of the caller's, signaled. */
int vc_send_qkey(struct vc_pair *pair, u64 wr_id, u32 qkey)
{
	struct ib_sge sge = { pair->address, VC_MESSAGE, pair->pd->local_dma_lkey };

	return vc_post(pair, wr_id, IB_SEND_SIGNALED, &sge, qkey);
}

/* Posts a receive buffer of @octets, the GRH's 40 included, behind the send buffer. */
int vc_recv(struct vc_pair *pair, u64 wr_id, u32 octets)
{
	struct ib_sge sge = {
		.addr = pair->address + VC_MAX_MESSAGE / 2,
		.length = octets,
		.lkey = pair->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
	};

	return ib_post_recv(pair->to, &wr, NULL);
}

/* Waits until the handler was called that often; false if it never is, or is called more often. */
bool vc_events_reach(struct vc_cq *cq, int events)
{
	int tries = VC_EVENT_TRIES;

	while (atomic_read(&cq->events) < events && tries--)
		usleep_range(50, 100);
	usleep_range(500, 1000);
	return atomic_read(&cq->events) == events;
}
