// SPDX-License-Identifier: GPL-2.0-only
/* Subnet management agent: which attribute a datagram is about, of which port; the node's own. */
#include "sma.h"

#include "device.h"
#include "mad.h"
#include "mkey.h"
#include "port.h"
#include "switch.h"

#include <rdma/ib_mad.h>

static void softib_fill_hca(const struct softib_port *port, struct ib_node_info *info)
{
	info->node_type = RDMA_NODE_IB_CA;
	info->num_ports = port->dev->ibdev.phys_port_cnt;
	info->sys_guid = port->dev->ibdev.attrs.sys_image_guid;
	info->node_guid = port->dev->ibdev.node_guid;
	info->port_guid = port->guids[0];
	info->device_id = cpu_to_be16(SOFTIB_DEVICE_ID);
}

/* A switch has one GUID for the system, the node and its ports (IBA 14.2.5.3). */
static void softib_fill_switch(const struct softib_port *port, struct ib_node_info *info)
{
	info->node_type = RDMA_NODE_IB_SWITCH;
	info->num_ports = port->sw->num_ports;
	info->sys_guid = port->sw->ports[0].guids[0];
	info->node_guid = info->sys_guid;
	info->port_guid = info->sys_guid;
	info->device_id = cpu_to_be16(SOFTIB_SWITCH_DEVICE_ID);
}

static __be16 softib_sma_node_info(const struct softib_port *port, struct ib_smp *smp)
{
	struct ib_node_info *info = (struct ib_node_info *)smp->data;

	if (softib_smp_is_set(smp))
		return SOFTIB_MAD_BAD_METHOD;
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = SOFTIB_SMA_CLASS_VERSION;
	info->partition_cap = cpu_to_be16(SOFTIB_PKEYS);
	info->revision = cpu_to_be32(1);
	info->local_port_num = port->num;
	info->vendor_id[0] = SOFTIB_VENDOR_ID >> 16;
	info->vendor_id[1] = SOFTIB_VENDOR_ID >> 8 & 0xff;
	info->vendor_id[2] = SOFTIB_VENDOR_ID & 0xff;
	if (port->sw)
		softib_fill_switch(port, info);
	else
		softib_fill_hca(port, info);
	return 0;
}

static __be16 softib_sma_node_desc(const struct softib_port *port, struct ib_smp *smp)
{
	if (softib_smp_is_set(smp))
		return SOFTIB_MAD_BAD_METHOD;
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	if (port->sw)
		snprintf(smp->data, sizeof(smp->data), "softib-switch%u", port->sw->index);
	else
		memcpy(smp->data, port->dev->ibdev.node_desc, sizeof(smp->data));
	return 0;
}

/*
 * The port a number in the attribute modifier names: at a switch any, at an HCA the one that
 * received the datagram, which 0 names too. NULL if there is none.
 */
static struct softib_port *softib_sma_port(struct softib_port *port, u32 num)
{
	if (port->sw)
		return softib_switch_port(port->sw, num);
	return num == 0 || num == port->num ? port : NULL;
}

/* Attributes of a port: which one stands at a different place in each one's modifier. */
static __be16 softib_sma_port_attribute(struct softib_port *in, struct ib_smp *smp)
{
	__be16 (*attribute)(struct softib_port *port, struct ib_smp *smp);
	u32 num, modifier = be32_to_cpu(smp->attr_mod);
	struct softib_port *port;

	switch (smp->attr_id) {
	case IB_SMP_ATTR_PKEY_TABLE:
		attribute = softib_sma_pkey_table;
		num = in->sw ? modifier >> 16 : 0;
		break;
	case IB_SMP_ATTR_GUID_INFO:
		attribute = softib_sma_guid_info;
		num = 0;
		break;
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		attribute = softib_sma_sl_to_vl;
		num = in->sw ? modifier & 0xff : 0;
		break;
	case IB_SMP_ATTR_VL_ARB_TABLE:
		attribute = softib_sma_vl_arbitration;
		num = in->sw ? modifier & 0xffff : 0;
		break;
	default:
		return SOFTIB_MAD_BAD_ATTRIBUTE;
	}
	port = softib_sma_port(in, num);
	return port ? attribute(port, smp) : SOFTIB_MAD_BAD_VALUE;
}

static __be16 softib_sma_port_info_of(struct softib_port *in, struct ib_smp *smp)
{
	struct softib_port *port = softib_sma_port(in, be32_to_cpu(smp->attr_mod) & 0xff);

	return port ? softib_sma_port_info(port, in->num, smp) : SOFTIB_MAD_BAD_VALUE;
}

static __be16 softib_sma_attribute(struct softib_port *in, struct ib_smp *smp)
{
	if (smp->method == IB_MGMT_METHOD_GET)
		memset(smp->data, 0, sizeof(smp->data));
	switch (smp->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		return softib_sma_node_desc(in, smp);
	case IB_SMP_ATTR_NODE_INFO:
		return softib_sma_node_info(in, smp);
	case IB_SMP_ATTR_PORT_INFO:
		return softib_sma_port_info_of(in, smp);
	case IB_SMP_ATTR_SWITCH_INFO:
		return in->sw ? softib_sma_switch_info(in->sw, smp) : SOFTIB_MAD_BAD_ATTRIBUTE;
	case IB_SMP_ATTR_LINEAR_FORWARD_TABLE:
		return in->sw ? softib_sma_linear_table(in->sw, smp) : SOFTIB_MAD_BAD_ATTRIBUTE;
	case IB_SMP_ATTR_MCAST_FORWARD_TABLE:
		return in->sw ? softib_sma_mcast_table(in->sw, smp) : SOFTIB_MAD_BAD_ATTRIBUTE;
	default:
		return softib_sma_port_attribute(in, smp);
	}
}

/**
 * softib_sma() - answer a subnet management Get or Set
 * @port: the port that received it, an HCA's or a switch's
 * @smp:  request in, answer out
 *
 * Any context, no lock held. SMInfo is for the subnet manager, if one said it runs on this port.
 * Without the right M_Key there may be no answer.
 *
 * Return: what ib_device_ops.process_mad returns.
 */
int softib_sma(struct softib_port *port, struct ib_smp *smp)
{
	if (smp->attr_id == IB_SMP_ATTR_SM_INFO) {
		if (READ_ONCE(port->cap_mask) & IB_PORT_SM)
			return IB_MAD_RESULT_SUCCESS;
		if (READ_ONCE(port->cap_mask) & IB_PORT_SM_DISABLED)
			return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	}
	if (!softib_mkey_admits(port->sw ? &port->sw->ports[0] : port, smp))
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	if (smp->base_version != IB_MGMT_BASE_VERSION ||
	    smp->class_version != SOFTIB_SMA_CLASS_VERSION)
		smp->status = SOFTIB_MAD_BAD_VERSION;
	else
		smp->status = softib_sma_attribute(port, smp);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
