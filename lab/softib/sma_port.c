// SPDX-License-Identifier: GPL-2.0-only
/* PortInfo (IBA volume 1, section 14.2.5.6), of an HCA's port and of a switch's. */
#include "sma.h"

#include "mad.h"
#include "mkey.h"
#include "port.h"

#include <rdma/ib_mad.h>

/* PortState and PortPhysicalState "no change" */
#define SOFTIB_NOP 0

static void softib_fill_port_link(const struct softib_port *port, struct ib_port_info *info)
{
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
	struct ib_port_info *info = (struct ib_port_info *)smp->data;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	softib_fill_port_info(port, info);
	if (!softib_smp_is_set(smp) && softib_mkey_hides(port, smp))
		info->mkey = 0;
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

	if (softib_port_is_end(port) && (!lid || lid >= be16_to_cpu(IB_MULTICAST_LID_BASE)))
		return false;
	if (!softib_port_has_link(port))
		return true;
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

/* What an end port has and a switch's external port has not. Caller holds the port lock. */
static void softib_take_end_info(struct softib_port *port, const struct ib_port_info *info)
{
	port->mkey = info->mkey;
	port->mkey_protect = info->mkeyprot_resv_lmc >> 6;
	port->mkey_lease = be16_to_cpu(info->mkey_lease_period);
	port->gid_prefix = info->gid_prefix;
	WRITE_ONCE(port->lid, be16_to_cpu(info->lid));
	port->lmc = info->mkeyprot_resv_lmc & 7;
	port->sm_lid = be16_to_cpu(info->sm_lid);
	port->sm_sl = info->neighbormtu_mastersmsl & 0xf;
	port->init_type = 0;
	port->subnet_timeout = info->clientrereg_resv_subnetto & 0x1f;
	if (!info->mkey_violations)
		port->bad_mkeys = 0;
	if (!info->pkey_violations)
		port->bad_pkeys = 0;
	if (!info->qkey_violations)
		port->bad_qkeys = 0;
}

/*
 * Caller holds the port lock. 0 in an enabled mask and all ones mean no change and all supported.
 */
static void softib_take_link_info(struct softib_port *port, const struct ib_port_info *info)
{
	u8 width = info->link_width_enabled, speed = info->linkspeedactive_enabled & 0xf;

	WRITE_ONCE(port->neighbor_mtu, info->neighbormtu_mastersmsl >> 4);
	port->vl_high_limit = info->vl_high_limit;
	port->vl_stall_hoq = info->vlstallcnt_hoqlife;
	port->error_thresholds = info->localphyerrors_overrunerrors;
	if (width)
		port->link_width_enabled = width & (IB_WIDTH_1X | IB_WIDTH_4X);
	if (speed)
		port->link_speed_enabled = speed & (IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR);
	if (info->operationalvl_pei_peo_fpi_fpo >> 4)
		port->operational_vls = 1;
}

/* Takes what is valid into the port, and tells which events are due. Caller holds the port lock. */
static u32 softib_take_port_info(struct softib_port *port, const struct ib_port_info *info)
{
	u32 events = 0;

	if (softib_port_is_end(port)) {
		events = softib_port_info_events(port, info);
		softib_take_end_info(port, info);
	}
	if (softib_port_has_link(port))
		softib_take_link_info(port, info);
	return events;
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

	spin_lock_irqsave(&port->lock, flags);
	if (!softib_port_info_ok(port, info)) {
		softib_fill_port_info(port, info);
		spin_unlock_irqrestore(&port->lock, flags);
		return SOFTIB_MAD_BAD_VALUE;
	}
	events = softib_take_port_info(port, info);
	spin_unlock_irqrestore(&port->lock, flags);

	for_each_set_bit(type, &events, BITS_PER_LONG)
		softib_port_event(port, type);
	if (softib_port_has_link(port))
		softib_apply_port_state(port, phys, state);
	softib_get_port_info(port, smp);
	if (reregister)
		info->clientrereg_resv_subnetto |= 0x80;
	return 0;
}

__be16 softib_sma_port_info(struct softib_port *port, u32 ingress, struct ib_smp *smp)
{
	struct ib_port_info *info = (struct ib_port_info *)smp->data;
	__be16 status;

	if (softib_smp_is_set(smp))
		status = softib_set_port_info(port, smp);
	else
		status = softib_get_port_info(port, smp);
	/* Where the question came in, not what it is about: OpenSM goes by it (IBA 14.2.5.6). */
	info->local_port_num = ingress;
	return status;
}
