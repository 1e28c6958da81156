// SPDX-License-Identifier: GPL-2.0-only
/* Subnet management agent: the attributes of IBA volume 1, section 14.2.5, for a port of an HCA. */
#include "mad.h"

#include "device.h"
#include "port.h"

#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

#define SOFTIB_PKEYS_PER_BLOCK 32
#define SOFTIB_GUIDS_PER_BLOCK 8
#define SOFTIB_CLASS_VERSION 1

/* PortInfo:PortState and PortPhysicalState "no change" */
#define SOFTIB_NOP 0

static __be16 softib_get_node_info(struct softib_port *port, struct ib_smp *smp)
{
	struct ib_node_info *info = (struct ib_node_info *)smp->data;

	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = SOFTIB_CLASS_VERSION;
	info->node_type = RDMA_NODE_IB_CA;
	info->num_ports = port->dev->ibdev.phys_port_cnt;
	info->sys_guid = port->dev->ibdev.attrs.sys_image_guid;
	info->node_guid = port->dev->ibdev.node_guid;
	info->port_guid = port->guids[0];
	info->partition_cap = cpu_to_be16(SOFTIB_PKEYS);
	info->device_id = cpu_to_be16(SOFTIB_DEVICE_ID);
	info->revision = cpu_to_be32(1);
	info->local_port_num = port->num;
	info->vendor_id[0] = SOFTIB_VENDOR_ID >> 16;
	info->vendor_id[1] = SOFTIB_VENDOR_ID >> 8 & 0xff;
	info->vendor_id[2] = SOFTIB_VENDOR_ID & 0xff;
	return 0;
}

static __be16 softib_get_node_desc(struct softib_port *port, struct ib_smp *smp)
{
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	memcpy(smp->data, port->dev->ibdev.node_desc, sizeof(smp->data));
	return 0;
}

/* PortInfo's attribute modifier names the port; 0 is the one that received it. */
static bool softib_names_port(const struct softib_port *port, const struct ib_smp *smp)
{
	u32 num = be32_to_cpu(smp->attr_mod);

	return num == 0 || num == port->num;
}

static void softib_fill_port_link(const struct softib_port *port, struct ib_port_info *info)
{
	info->local_port_num = port->num;
	info->link_width_enabled = port->link_width_enabled;
	info->link_width_supported = IB_WIDTH_1X | IB_WIDTH_4X;
	info->link_width_active = IB_WIDTH_4X;
	info->linkspeed_portstate = (IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR) << 4 | port->state;
	info->portphysstate_linkdown = port->phys_state << 4 | IB_PORT_PHYS_STATE_POLLING;
	info->linkspeedactive_enabled = IB_SPEED_QDR << 4 | port->link_speed_enabled;
	info->neighbormtu_mastersmsl = port->neighbor_mtu << 4 | port->sm_sl;
	info->vlcap_inittype = 1 << 4;
	info->vl_high_limit = port->vl_high_limit;
	info->vl_arb_high_cap = 8;
	info->vl_arb_low_cap = 8;
	info->inittypereply_mtucap = port->init_type << 4 | port->mtu_cap;
	info->vlstallcnt_hoqlife = port->vl_stall_hoq;
	info->operationalvl_pei_peo_fpi_fpo = port->operational_vls << 4;
	info->localphyerrors_overrunerrors = port->error_thresholds;
}

/* Caller holds the port lock. */
static void softib_fill_port_info(const struct softib_port *port, struct ib_port_info *info)
{
	memset(info, 0, sizeof(*info));
	info->mkey = port->mkey;
	info->gid_prefix = port->gid_prefix;
	info->lid = cpu_to_be16(port->lid);
	info->sm_lid = cpu_to_be16(port->sm_lid);
	info->cap_mask = cpu_to_be32(port->cap_mask);
	info->mkey_lease_period = cpu_to_be16(port->mkey_lease);
	info->mkeyprot_resv_lmc = port->mkey_protect << 6 | port->lmc;
	info->mkey_violations = cpu_to_be16(port->bad_mkeys);
	info->pkey_violations = cpu_to_be16(port->bad_pkeys);
	info->qkey_violations = cpu_to_be16(port->bad_qkeys);
	info->guid_cap = SOFTIB_GUIDS;
	info->clientrereg_resv_subnetto = port->subnet_timeout;
	info->resv_resptimevalue = 16;
	softib_fill_port_link(port, info);
}

static __be16 softib_get_port_info(struct softib_port *port, struct ib_smp *smp)
{
	unsigned long flags;

	if (!softib_names_port(port, smp))
		return SOFTIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&port->lock, flags);
	softib_fill_port_info(port, (struct ib_port_info *)smp->data);
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/* Only the transitions a subnet manager may ask for (IBA 14.2.5.6, PortState). */
static bool softib_port_state_ok(u8 from, u8 to)
{
	switch (to) {
	case SOFTIB_NOP:
	case IB_PORT_DOWN:
		return true;
	case IB_PORT_ARMED:
		return from == IB_PORT_INIT || from == IB_PORT_ARMED;
	case IB_PORT_ACTIVE:
		return from == IB_PORT_ARMED || from == IB_PORT_ACTIVE;
	default:
		return false;
	}
}

static bool softib_port_info_ok(const struct softib_port *port, const struct ib_port_info *info)
{
	u16 lid = be16_to_cpu(info->lid);
	u8 mtu = info->neighbormtu_mastersmsl >> 4;
	u8 phys = info->portphysstate_linkdown >> 4;

	if (!lid || lid >= be16_to_cpu(IB_MULTICAST_LID_BASE))
		return false;
	if (mtu < IB_MTU_256 || mtu > port->mtu_cap)
		return false;
	if (phys > IB_PORT_PHYS_STATE_DISABLED)
		return false;
	return softib_port_state_ok(port->state, info->linkspeed_portstate & 0xf);
}

/*
 * Events due for a change of PortInfo, as bits 1 << enum ib_event_type. Caller holds the port lock.
 */
static u32 softib_port_info_events(const struct softib_port *port, const struct ib_port_info *info)
{
	u32 events = 0;

	if (port->lid != be16_to_cpu(info->lid) || port->lmc != (info->mkeyprot_resv_lmc & 7))
		events |= BIT(IB_EVENT_LID_CHANGE);
	if (port->sm_lid != be16_to_cpu(info->sm_lid) ||
	    port->sm_sl != (info->neighbormtu_mastersmsl & 0xf))
		events |= BIT(IB_EVENT_SM_CHANGE);
	if (port->gid_prefix != info->gid_prefix)
		events |= BIT(IB_EVENT_GID_CHANGE);
	if (info->clientrereg_resv_subnetto & 0x80)
		events |= BIT(IB_EVENT_CLIENT_REREGISTER);
	return events;
}

/*
 * Caller holds the port lock. 0 in an enabled mask and all ones mean no change and all supported.
 */
static void softib_take_port_info(struct softib_port *port, const struct ib_port_info *info)
{
	u8 width = info->link_width_enabled, speed = info->linkspeedactive_enabled & 0xf;

	port->mkey = info->mkey;
	port->mkey_protect = info->mkeyprot_resv_lmc >> 6;
	port->mkey_lease = be16_to_cpu(info->mkey_lease_period);
	port->gid_prefix = info->gid_prefix;
	WRITE_ONCE(port->lid, be16_to_cpu(info->lid));
	port->lmc = info->mkeyprot_resv_lmc & 7;
	port->sm_lid = be16_to_cpu(info->sm_lid);
	port->sm_sl = info->neighbormtu_mastersmsl & 0xf;
	WRITE_ONCE(port->neighbor_mtu, info->neighbormtu_mastersmsl >> 4);
	port->vl_high_limit = info->vl_high_limit;
	port->init_type = 0;
	port->vl_stall_hoq = info->vlstallcnt_hoqlife;
	port->error_thresholds = info->localphyerrors_overrunerrors;
	port->subnet_timeout = info->clientrereg_resv_subnetto & 0x1f;
	if (width)
		port->link_width_enabled = width & (IB_WIDTH_1X | IB_WIDTH_4X);
	if (speed)
		port->link_speed_enabled = speed & (IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR);
	if (info->operationalvl_pei_peo_fpi_fpo >> 4)
		port->operational_vls = 1;
	if (!info->mkey_violations)
		port->bad_mkeys = 0;
	if (!info->pkey_violations)
		port->bad_pkeys = 0;
	if (!info->qkey_violations)
		port->bad_qkeys = 0;
}

/* What the port does with its link after a Set; no lock held. */
static void softib_apply_port_state(struct softib_port *port, u8 phys, u8 state)
{
	switch (phys) {
	case IB_PORT_PHYS_STATE_DISABLED:
	case IB_PORT_PHYS_STATE_SLEEP:
		softib_port_link_down(port, phys);
		return;
	case IB_PORT_PHYS_STATE_POLLING:
		softib_port_link_down(port, IB_PORT_PHYS_STATE_POLLING);
		softib_port_link_train(port);
		return;
	}
	if (state == IB_PORT_DOWN) {
		softib_port_link_down(port, IB_PORT_PHYS_STATE_POLLING);
		softib_port_link_train(port);
	} else if (state != SOFTIB_NOP) {
		softib_port_set_state(port, state);
	}
}

static __be16 softib_set_port_info(struct softib_port *port, struct ib_smp *smp)
{
	struct ib_port_info *info = (struct ib_port_info *)smp->data;
	u8 state = info->linkspeed_portstate & 0xf;
	u8 phys = info->portphysstate_linkdown >> 4;
	bool reregister = info->clientrereg_resv_subnetto & 0x80;
	unsigned long flags, events;
	unsigned int type;

	if (!softib_names_port(port, smp))
		return SOFTIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&port->lock, flags);
	if (!softib_port_info_ok(port, info)) {
		softib_fill_port_info(port, info);
		spin_unlock_irqrestore(&port->lock, flags);
		return SOFTIB_MAD_BAD_VALUE;
	}
	events = softib_port_info_events(port, info);
	softib_take_port_info(port, info);
	spin_unlock_irqrestore(&port->lock, flags);

	for_each_set_bit(type, &events, BITS_PER_LONG)
		softib_port_event(port, type);
	softib_apply_port_state(port, phys, state);
	softib_get_port_info(port, smp);
	if (reregister)
		info->clientrereg_resv_subnetto |= 0x80;
	return 0;
}

static __be16 softib_pkey_table(struct softib_port *port, struct ib_smp *smp)
{
	__be16 *table = (__be16 *)smp->data;
	bool changed = false;
	unsigned long flags;
	int i;

	BUILD_BUG_ON(SOFTIB_PKEYS != SOFTIB_PKEYS_PER_BLOCK);
	if (be32_to_cpu(smp->attr_mod) & 0xffff)
		return SOFTIB_MAD_BAD_VALUE;

	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < SOFTIB_PKEYS; i++) {
		if (smp->method == IB_MGMT_METHOD_SET && port->pkeys[i] != be16_to_cpu(table[i])) {
			WRITE_ONCE(port->pkeys[i], be16_to_cpu(table[i]));
			changed = true;
		}
		table[i] = cpu_to_be16(port->pkeys[i]);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (changed)
		softib_port_event(port, IB_EVENT_PKEY_CHANGE);
	return 0;
}

/* The first GUID is the hardware's and stays (IBA 14.2.5.5). */
static __be16 softib_guid_table(struct softib_port *port, struct ib_smp *smp)
{
	__be64 *table = (__be64 *)smp->data;
	bool changed = false;
	unsigned long flags;
	int i;

	BUILD_BUG_ON(SOFTIB_GUIDS != SOFTIB_GUIDS_PER_BLOCK);
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;

	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < SOFTIB_GUIDS; i++) {
		if (smp->method == IB_MGMT_METHOD_SET && i && port->guids[i] != table[i]) {
			port->guids[i] = table[i];
			changed = true;
		}
		table[i] = port->guids[i];
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (changed)
		softib_port_event(port, IB_EVENT_GID_CHANGE);
	return 0;
}

/* Gets or sets @len octets of a table that softib keeps without acting on it. */
static __be16 softib_inert_table(struct softib_port *port, struct ib_smp *smp, u8 *table,
				 size_t len)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (smp->method == IB_MGMT_METHOD_SET)
		memcpy(table, smp->data, len);
	memset(smp->data, 0, sizeof(smp->data));
	memcpy(smp->data, table, len);
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/* The modifier's upper half is a block number from 1 (IBA 14.2.5.9). */
static __be16 softib_vl_arbitration(struct softib_port *port, struct ib_smp *smp)
{
	u32 block = be32_to_cpu(smp->attr_mod) >> 16;

	if (block < 1 || block > SOFTIB_VLARB_BLOCKS)
		return SOFTIB_MAD_BAD_VALUE;
	return softib_inert_table(port, smp, port->vl_arb[block - 1], SOFTIB_VLARB_OCTETS);
}

static __be16 softib_sma_get(struct softib_port *port, struct ib_smp *smp)
{
	memset(smp->data, 0, sizeof(smp->data));
	switch (smp->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		return softib_get_node_desc(port, smp);
	case IB_SMP_ATTR_NODE_INFO:
		return softib_get_node_info(port, smp);
	case IB_SMP_ATTR_PORT_INFO:
		return softib_get_port_info(port, smp);
	case IB_SMP_ATTR_PKEY_TABLE:
		return softib_pkey_table(port, smp);
	case IB_SMP_ATTR_GUID_INFO:
		return softib_guid_table(port, smp);
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		return softib_inert_table(port, smp, port->sl_to_vl, SOFTIB_SLTOVL_OCTETS);
	case IB_SMP_ATTR_VL_ARB_TABLE:
		return softib_vl_arbitration(port, smp);
	default:
		return SOFTIB_MAD_BAD_ATTRIBUTE;
	}
}

static __be16 softib_sma_set(struct softib_port *port, struct ib_smp *smp)
{
	switch (smp->attr_id) {
	case IB_SMP_ATTR_PORT_INFO:
		return softib_set_port_info(port, smp);
	case IB_SMP_ATTR_PKEY_TABLE:
		return softib_pkey_table(port, smp);
	case IB_SMP_ATTR_GUID_INFO:
		return softib_guid_table(port, smp);
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		return softib_inert_table(port, smp, port->sl_to_vl, SOFTIB_SLTOVL_OCTETS);
	case IB_SMP_ATTR_VL_ARB_TABLE:
		return softib_vl_arbitration(port, smp);
	default:
		return SOFTIB_MAD_BAD_ATTRIBUTE;
	}
}

/**
 * softib_sma() - answer a subnet management Get or Set
 * @port: the port that received it
 * @smp:  request in, answer out
 *
 * Any context, no lock held. SMInfo is for the subnet manager, if one said it runs on this port.
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
	if (smp->base_version != IB_MGMT_BASE_VERSION || smp->class_version != SOFTIB_CLASS_VERSION)
		smp->status = SOFTIB_MAD_BAD_VERSION;
	else if (smp->method == IB_MGMT_METHOD_GET)
		smp->status = softib_sma_get(port, smp);
	else
		smp->status = softib_sma_set(port, smp);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
