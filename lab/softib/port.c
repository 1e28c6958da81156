// SPDX-License-Identifier: GPL-2.0-only
/* Ports: creation, the link state machine, and the verbs that look at a port. */
#include "port.h"

#include "device.h"
#include "rc.h"
#include "switch.h"

#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <rdma/ib_mad.h>

static unsigned int softib_mtu = 2048;
module_param_named(mtu, softib_mtu, uint, 0444);
MODULE_PARM_DESC(mtu, "Largest packet payload of a port: 256, 512, 1024, 2048 (default) or 4096");

struct softib_port *softib_port_get(struct softib_dev *dev, u32 num)
{
	if (num < 1 || num > dev->ibdev.phys_port_cnt)
		return NULL;
	return &dev->ports[num - 1];
}

/* 0 or -ENOMEM. May sleep. */
static int softib_port_init(struct softib_port *port, u32 num, __be64 guid)
{
	port->num = num;
	spin_lock_init(&port->lock);
	INIT_LIST_HEAD(&port->groups);
	port->state = IB_PORT_DOWN;
	port->phys_state = IB_PORT_PHYS_STATE_POLLING;
	port->mtu_cap = ib_mtu_int_to_enum(softib_mtu);
	port->neighbor_mtu = port->mtu_cap;
	port->link_width_enabled = IB_WIDTH_1X | IB_WIDTH_4X;
	port->link_speed_enabled = IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR;
	port->operational_vls = 1;
	port->gid_prefix = cpu_to_be64(0xfe80000000000000ULL);
	port->guids[0] = guid;
	port->pkeys[0] = IB_DEFAULT_PKEY_FULL;
	softib_traps_init(port);
	port->stats = alloc_percpu(struct softib_stats);
	return port->stats ? 0 : -ENOMEM;
}

/*
 * Allocates the HCA's ports, links down. 0, -EINVAL for a bad mtu parameter, or -ENOMEM. May sleep.
 */
int softib_ports_alloc(struct softib_dev *dev)
{
	u32 i, num_ports = dev->ibdev.phys_port_cnt;

	if (softib_mtu < 256 || softib_mtu > 4096 || !is_power_of_2(softib_mtu))
		return -EINVAL;
	dev->ports = kcalloc(num_ports, sizeof(*dev->ports), GFP_KERNEL);
	if (!dev->ports)
		return -ENOMEM;
	for (i = 0; i < num_ports; i++) {
		struct softib_port *port = &dev->ports[i];

		port->dev = dev;
		port->cap_mask =
			IB_PORT_TRAP_SUP | IB_PORT_SYS_IMAGE_GUID_SUP | IB_PORT_CLIENT_REG_SUP |
			IB_PORT_CM_SUP | IB_PORT_CAP_MASK_NOTICE_SUP;
		if (softib_port_init(port, i + 1, softib_guid(dev->index, i + 1))) {
			softib_ports_free(dev);
			return -ENOMEM;
		}
	}
	return 0;
}

/* The HCA's ports send nothing of their own any more when this returns. May sleep. */
void softib_ports_quiet(struct softib_dev *dev)
{
	u32 i;

	for (i = 0; i < dev->ibdev.phys_port_cnt; i++)
		softib_traps_stop(&dev->ports[i]);
}

/* Accepts a half-allocated set. May sleep. */
void softib_ports_free(struct softib_dev *dev)
{
	u32 i;

	for (i = 0; i < dev->ibdev.phys_port_cnt; i++)
		free_percpu(dev->ports[i].stats);
	kfree(dev->ports);
}

/* As softib_ports_alloc(), for a switch; its port 0 is up for good. May sleep. */
int softib_switch_ports_alloc(struct softib_switch *sw)
{
	u32 i;

	sw->ports = kcalloc(sw->num_ports + 1, sizeof(*sw->ports), GFP_KERNEL);
	if (!sw->ports)
		return -ENOMEM;
	for (i = 0; i <= sw->num_ports; i++) {
		sw->ports[i].sw = sw;
		if (softib_port_init(&sw->ports[i], i, softib_switch_guid(sw->index))) {
			softib_switch_ports_free(sw);
			return -ENOMEM;
		}
	}
	sw->ports[0].cap_mask = IB_PORT_TRAP_SUP | IB_PORT_SYS_IMAGE_GUID_SUP;
	sw->ports[0].state = IB_PORT_ACTIVE;
	sw->ports[0].phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	return 0;
}

/* Accepts a half-allocated set. May sleep. */
void softib_switch_ports_free(struct softib_switch *sw)
{
	u32 i;

	for (i = 0; i <= sw->num_ports; i++)
		free_percpu(sw->ports[i].stats);
	kfree(sw->ports);
}

/*
 * Puts a cable between two ports; both are in polling and train to INIT. Before registration, so
 * without events.
 */
void softib_port_connect(struct softib_port *a, struct softib_port *b)
{
	a->peer = b;
	b->peer = a;
	softib_port_link_train(a);
}

/*
 * Tells ib_core's clients, from a work queue of its own; a switch has none. Any context; no port
 * lock may be held.
 */
void softib_port_event(struct softib_port *port, enum ib_event_type type)
{
	struct ib_event event = {
		.element.port_num = port->num,
		.event = type,
	};
	unsigned long flags;

	if (!port->dev)
		return;
	event.device = &port->dev->ibdev;
	spin_lock_irqsave(&port->dev->event_lock, flags);
	if (port->dev->registered)
		ib_dispatch_event(&event);
	spin_unlock_irqrestore(&port->dev->event_lock, flags);
}

/* A state the subnet manager set. Any context. */
void softib_port_set_state(struct softib_port *port, enum ib_port_state state)
{
	enum ib_port_state old;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	old = port->state;
	port->state = state;
	spin_unlock_irqrestore(&port->lock, flags);

	if (state == IB_PORT_ACTIVE && old != IB_PORT_ACTIVE)
		softib_port_event(port, IB_EVENT_PORT_ACTIVE);
	if (state != IB_PORT_ACTIVE && old == IB_PORT_ACTIVE)
		softib_port_event(port, IB_EVENT_PORT_ERR);
	if (port->sw && state != old && (state == IB_PORT_DOWN || old == IB_PORT_DOWN))
		softib_switch_port_changed(port);
}

/* One end loses the link and rests in @phys_state. */
static void softib_port_drop_link(struct softib_port *port, enum ib_port_phys_state phys_state)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (port->state != IB_PORT_DOWN)
		softib_count_link(port->stats, SOFTIB_LINK_DOWNED, 1);
	port->phys_state = phys_state;
	spin_unlock_irqrestore(&port->lock, flags);
	softib_port_set_state(port, IB_PORT_DOWN);
}

/**
 * softib_port_link_down() - take the link down at both ends
 * @port:       the end that does it
 * @phys_state: where that end goes: IB_PORT_PHYS_STATE_DISABLED stays down, POLLING comes back when
 *              softib_port_link_train() is called. The other end polls unless it is disabled.
 *
 * Any context, no port lock held.
 */
void softib_port_link_down(struct softib_port *port, enum ib_port_phys_state phys_state)
{
	struct softib_port *peer = port->peer;

	softib_port_drop_link(port, phys_state);
	if (peer && READ_ONCE(peer->phys_state) == IB_PORT_PHYS_STATE_LINK_UP)
		softib_port_drop_link(peer, IB_PORT_PHYS_STATE_POLLING);
}

static void softib_port_link_up(struct softib_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	spin_unlock_irqrestore(&port->lock, flags);
	softib_port_set_state(port, IB_PORT_INIT);
}

/* Brings the link to INIT if both ends poll. Any context, no port lock held. */
void softib_port_link_train(struct softib_port *port)
{
	struct softib_port *peer = port->peer;

	if (!peer || READ_ONCE(port->phys_state) != IB_PORT_PHYS_STATE_POLLING ||
	    READ_ONCE(peer->phys_state) != IB_PORT_PHYS_STATE_POLLING)
		return;
	softib_port_link_up(port);
	if (peer != port)
		softib_port_link_up(peer);
}

/* A disabled end polls again. Any context, no port lock held. */
void softib_port_link_enable(struct softib_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (port->phys_state != IB_PORT_PHYS_STATE_LINK_UP)
		port->phys_state = IB_PORT_PHYS_STATE_POLLING;
	spin_unlock_irqrestore(&port->lock, flags);
	softib_port_link_train(port);
}

/* ib_device_ops.query_port */
int softib_query_port(struct ib_device *ibdev, u32 port_num, struct ib_port_attr *attr)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);
	unsigned long flags;

	if (!port)
		return -EINVAL;
	spin_lock_irqsave(&port->lock, flags);
	attr->state = port->state;
	attr->phys_state = port->phys_state;
	attr->max_mtu = port->mtu_cap;
	attr->active_mtu = port->neighbor_mtu;
	attr->lid = port->lid;
	attr->lmc = port->lmc;
	attr->sm_lid = port->sm_lid;
	attr->sm_sl = port->sm_sl;
	attr->port_cap_flags = port->cap_mask;
	attr->subnet_timeout = port->subnet_timeout;
	attr->init_type_reply = port->init_type;
	attr->bad_pkey_cntr = port->bad_pkeys;
	attr->qkey_viol_cntr = port->bad_qkeys;
	spin_unlock_irqrestore(&port->lock, flags);

	attr->phys_mtu = ib_mtu_enum_to_int(attr->max_mtu);
	attr->gid_tbl_len = SOFTIB_GUIDS;
	attr->pkey_tbl_len = SOFTIB_PKEYS;
	attr->max_msg_sz = SOFTIB_MAX_MESSAGE;
	attr->max_vl_num = 1;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_QDR;
	return 0;
}

/* ib_device_ops.modify_port: capability bits, as ib_umad sets IsSM, and counter resets. */
int softib_modify_port(struct ib_device *ibdev, u32 port_num, int mask,
		       struct ib_port_modify *modify)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);
	unsigned long flags;
	u32 before;

	if (!port)
		return -EINVAL;
	spin_lock_irqsave(&port->lock, flags);
	before = port->cap_mask;
	port->cap_mask |= modify->set_port_cap_mask;
	port->cap_mask &= ~modify->clr_port_cap_mask;
	if (port->cap_mask != before)
		softib_trap_queue(port, SOFTIB_TRAP_LOCAL_CHANGE);
	if (mask & IB_PORT_INIT_TYPE)
		port->init_type = modify->init_type;
	if (mask & IB_PORT_RESET_QKEY_CNTR)
		port->bad_qkeys = 0;
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/* ib_device_ops.query_pkey */
int softib_query_pkey(struct ib_device *ibdev, u32 port_num, u16 index, u16 *pkey)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);

	if (!port || index >= SOFTIB_PKEYS)
		return -EINVAL;
	*pkey = READ_ONCE(port->pkeys[index]);
	return 0;
}

/* ib_device_ops.query_gid */
int softib_query_gid(struct ib_device *ibdev, u32 port_num, int index, union ib_gid *gid)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);
	unsigned long flags;

	if (!port || index < 0 || index >= SOFTIB_GUIDS)
		return -EINVAL;
	spin_lock_irqsave(&port->lock, flags);
	gid->global.subnet_prefix = port->gid_prefix;
	gid->global.interface_id = port->guids[index];
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}
