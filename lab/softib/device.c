// SPDX-License-Identifier: GPL-2.0-only
/* Creates an HCA and registers it with ib_core: operations, attributes, parent device. */
#include "device.h"

#include "ah.h"
#include "compat.h"
#include "counters.h"
#include "cq.h"
#include "debugfs.h"
#include "engine.h"
#include "mad.h"
#include "mcast.h"
#include "mr.h"
#include "port.h"
#include "qp.h"
#include "rc.h"
#include "srq.h"
#include "vector.h"

#include <linux/platform_device.h>
#include <linux/slab.h>
#include <rdma/ib_mad.h>

/*
 * EUI-64 with the local bit set: 02:73:6f:66:74:69 spells "softi", then HCA and port (0 names the
 * node).
 */
__be64 softib_guid(unsigned int index, unsigned int port_num)
{
	return cpu_to_be64(0x02736f6674690000ULL | index << 8 | port_num);
}

/* Behind those of the HCAs, which are less than 128. */
__be64 softib_switch_guid(unsigned int index)
{
	return softib_guid(0x80 + index, 0);
}

static int softib_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			       struct ib_udata *udata)
{
	attr->sys_image_guid = softib_guid(softib_dev(ibdev)->index, 0);
	attr->vendor_id = SOFTIB_VENDOR_ID;
	attr->vendor_part_id = SOFTIB_DEVICE_ID;
	attr->max_mr_size = ~0ULL;
	attr->page_size_cap = PAGE_SIZE;
	attr->device_cap_flags = IB_DEVICE_CHANGE_PHY_PORT | IB_DEVICE_PORT_ACTIVE_EVENT |
				 IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_BAD_QKEY_CNTR |
				 IB_DEVICE_BAD_PKEY_CNTR;
	attr->kernel_cap_flags = IBK_LOCAL_DMA_LKEY | IBK_BLOCK_MULTICAST_LOOPBACK;
	attr->max_qp = SOFTIB_MAX_QPS;
	attr->max_qp_rd_atom = SOFTIB_MAX_RD_ATOMIC;
	attr->max_qp_init_rd_atom = SOFTIB_MAX_RD_ATOMIC;
	attr->max_srq = SOFTIB_MAX_QPS;
	attr->max_srq_wr = SOFTIB_MAX_WR;
	attr->max_srq_sge = SOFTIB_MAX_SGE;
	attr->max_qp_wr = SOFTIB_MAX_WR;
	attr->max_send_sge = SOFTIB_MAX_SGE;
	attr->max_recv_sge = SOFTIB_MAX_SGE;
	attr->max_cq = SOFTIB_MAX_QPS * 2;
	attr->max_cqe = SOFTIB_MAX_CQE;
	attr->max_mr = 1 << 16;
	attr->max_pd = 1 << 16;
	attr->max_ah = 1 << 20;
	attr->max_mcast_grp = 1 << 12;
	attr->max_mcast_qp_attach = SOFTIB_MAX_QPS;
	attr->max_total_mcast_qp_attach = 1 << 16;
	attr->max_pkeys = SOFTIB_PKEYS;
	attr->local_ca_ack_delay = 15;
	return 0;
}

static int softib_modify_device(struct ib_device *ibdev, int mask, struct ib_device_modify *modify)
{
	u32 i;

	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (!(mask & IB_DEVICE_MODIFY_NODE_DESC))
		return 0;
	memcpy(ibdev->node_desc, modify->node_desc, IB_DEVICE_NODE_DESC_MAX);
	for (i = 0; i < ibdev->phys_port_cnt; i++)
		softib_trap_node_desc(&softib_dev(ibdev)->ports[i]);
	return 0;
}

static int softib_get_port_immutable(struct ib_device *ibdev, u32 port_num,
				     struct ib_port_immutable *immutable)
{
	immutable->pkey_tbl_len = SOFTIB_PKEYS;
	immutable->gid_tbl_len = SOFTIB_GUIDS;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static enum rdma_link_layer softib_get_link_layer(struct ib_device *ibdev, u32 port_num)
{
	return IB_LINK_LAYER_INFINIBAND;
}

static int softib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int softib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int softib_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
			    SOFTIB_CREATE_CQ_CONTEXT *context)
{
	return softib_create_cq_common(ibcq, attr);
}

static const struct ib_device_ops softib_device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = 1,

	.alloc_hw_port_stats = softib_alloc_hw_port_stats,
	.alloc_pd = softib_alloc_pd,
	.attach_mcast = softib_attach_mcast,
	.create_ah = softib_create_ah,
	.create_cq = softib_create_cq,
	.create_qp = softib_create_qp,
	.create_srq = softib_create_srq,
	.dealloc_pd = softib_dealloc_pd,
	.dereg_mr = softib_dereg_mr,
	.destroy_ah = softib_destroy_ah,
	.destroy_cq = softib_destroy_cq,
	.destroy_qp = softib_destroy_qp,
	.destroy_srq = softib_destroy_srq,
	.detach_mcast = softib_detach_mcast,
	.get_dma_mr = softib_get_dma_mr,
	.get_hw_stats = softib_get_hw_stats,
	.get_link_layer = softib_get_link_layer,
	.get_port_immutable = softib_get_port_immutable,
	.get_vector_affinity = softib_get_vector_affinity,
	.modify_cq = softib_modify_cq,
	.modify_device = softib_modify_device,
	.modify_port = softib_modify_port,
	.modify_qp = softib_modify_qp,
	.modify_srq = softib_modify_srq,
	.poll_cq = softib_poll_cq,
	.post_recv = softib_post_recv,
	.post_send = softib_post_send,
	.post_srq_recv = softib_post_srq_recv,
	.process_mad = softib_process_mad,
	.query_ah = softib_query_ah,
	.query_device = softib_query_device,
	.query_gid = softib_query_gid,
	.query_pkey = softib_query_pkey,
	.query_port = softib_query_port,
	.query_qp = softib_query_qp,
	.query_srq = softib_query_srq,
	.reg_user_mr = softib_reg_user_mr,
	.req_notify_cq = softib_req_notify_cq,

	INIT_RDMA_OBJ_SIZE(ib_ah, softib_ah, ibah),
	INIT_RDMA_OBJ_SIZE(ib_cq, softib_cq, base),
	INIT_RDMA_OBJ_SIZE(ib_pd, softib_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_qp, softib_qp, ibqp),
	INIT_RDMA_OBJ_SIZE(ib_srq, softib_srq, ibsrq),
};

static int softib_parent_add(struct softib_dev *dev)
{
	struct platform_device *parent;

	parent = platform_device_register_simple("softib", dev->index, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	dev->parent = parent;
	dev->ibdev.dev.parent = &parent->dev;
	return 0;
}

static void softib_device_init(struct softib_dev *dev, unsigned int index, unsigned int num_ports)
{
	dev->index = index;
	mutex_init(&dev->mcast_lock);
	spin_lock_init(&dev->event_lock);
	dev->ibdev.node_type = RDMA_NODE_IB_CA;
	dev->ibdev.node_guid = softib_guid(index, 0);
	dev->ibdev.phys_port_cnt = num_ports;
	dev->ibdev.local_dma_lkey = SOFTIB_LOCAL_DMA_LKEY;
	snprintf(dev->ibdev.node_desc, IB_DEVICE_NODE_DESC_MAX, "softib%u", index);
	ib_set_device_ops(&dev->ibdev, &softib_device_ops);
}

/**
 * softib_device_alloc() - create an HCA that ib_core does not know yet
 * @index:     number of the HCA, from 0
 * @num_ports: ports it has
 *
 * May sleep. Return: the HCA, which softib_device_free() frees, or ERR_PTR(-errno).
 */
struct softib_dev *softib_device_alloc(unsigned int index, unsigned int num_ports)
{
	struct softib_dev *dev;
	int err;

	dev = ib_alloc_device(softib_dev, ibdev);
	if (!dev)
		return ERR_PTR(-ENOMEM);
	softib_device_init(dev, index, num_ports);
	err = softib_vectors_alloc(dev);
	if (err)
		goto dealloc_device;
	err = softib_qp_table_alloc(dev);
	if (err)
		goto free_vectors;
	err = softib_ports_alloc(dev);
	if (err)
		goto free_qp_table;
	err = softib_engine_alloc(dev);
	if (err)
		goto free_ports;
	err = softib_parent_add(dev);
	if (err)
		goto free_engine;
	return dev;

free_engine:
	softib_engine_free(dev);
free_ports:
	softib_ports_free(dev);
free_qp_table:
	softib_qp_table_free(dev);
free_vectors:
	softib_vectors_free(dev);
dealloc_device:
	ib_dealloc_device(&dev->ibdev);
	return ERR_PTR(err);
}

/* Frees an HCA that is not registered (any more) and that no packet can reach. May sleep. */
void softib_device_free(struct softib_dev *dev)
{
	platform_device_unregister(dev->parent);
	softib_engine_free(dev);
	softib_ports_free(dev);
	softib_qp_table_free(dev);
	softib_vectors_free(dev);
	ib_dealloc_device(&dev->ibdev);
}

static void softib_device_set_registered(struct softib_dev *dev, bool registered)
{
	spin_lock_irq(&dev->event_lock);
	dev->registered = registered;
	spin_unlock_irq(&dev->event_lock);
}

/*
 * Makes the HCA visible to ib_core's clients; from now on it sends and receives. 0 or -errno. May
 * sleep.
 */
int softib_device_register(struct softib_dev *dev)
{
	int err = ib_register_device(&dev->ibdev, "softib%d", NULL);

	if (err)
		return err;
	softib_device_set_registered(dev, true);
	softib_debugfs_add(dev);
	return 0;
}

/* Takes the HCA away from all clients; returns when their last object is gone. May sleep. */
void softib_device_unregister(struct softib_dev *dev)
{
	softib_debugfs_remove(dev);
	softib_device_set_registered(dev, false);
	ib_unregister_device(&dev->ibdev);
}
