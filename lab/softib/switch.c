// SPDX-License-Identifier: GPL-2.0-only
/* Forwards packets between the ports of a switch. */
#include "switch.h"

#include "device.h"
#include "port.h"
#include "wire.h"

#include <linux/bitops.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <rdma/ib_mad.h>

/**
 * softib_switch_alloc() - create a switch without cables
 * @index:     its subnet
 * @num_ports: external ports, at most 63
 *
 * May sleep. Return: the switch, which softib_switch_free() frees, or ERR_PTR(-errno).
 */
struct softib_switch *softib_switch_alloc(unsigned int index, u32 num_ports)
{
	struct softib_switch *sw = kvzalloc(sizeof(*sw), GFP_KERNEL);
	int err;

	if (!sw)
		return ERR_PTR(-ENOMEM);
	sw->index = index;
	sw->num_ports = num_ports;
	memset(sw->lft, SOFTIB_LFT_NO_PORT, sizeof(sw->lft));
	err = softib_switch_ports_alloc(sw);
	if (err) {
		kvfree(sw);
		return ERR_PTR(err);
	}
	return sw;
}

/* HCAs send nothing any more, and this ends what the switch sends of its own. May sleep. */
void softib_switch_free(struct softib_switch *sw)
{
	softib_traps_stop(&sw->ports[0]);
	softib_switch_ports_free(sw);
	kvfree(sw);
}

/* The port with that number, 0 being the switch itself, or NULL. */
struct softib_port *softib_switch_port(struct softib_switch *sw, u32 num)
{
	return num <= sw->num_ports ? &sw->ports[num] : NULL;
}

/* A link came or went: the subnet manager is to look at the switch (IBA 14.2.5.4). Any context. */
void softib_switch_port_changed(struct softib_port *port)
{
	WRITE_ONCE(port->sw->changed, true);
	softib_trap(&port->sw->ports[0], SOFTIB_TRAP_LINK_STATE);
}

/* Out of one port and over its cable. NULL, and why, if that port or its link lets nothing pass. */
static struct softib_port *softib_switch_leave(struct softib_port *out,
					       const struct softib_pkt *pkt,
					       enum softib_counter *fate)
{
	struct softib_port *peer = NULL;

	if (softib_port_active(out) || softib_pkt_is_smp(pkt))
		peer = softib_wire_cross(out, pkt);
	else
		softib_count_link(out->stats, SOFTIB_XMIT_DISCARDS, 1);
	if (!peer)
		*fate = SOFTIB_DROP_PORT_DOWN;
	return peer;
}

/* An HCA's port; port 0 for packets to the switch itself; or NULL, and why. */
static struct softib_port *softib_switch_route_lid(struct softib_switch *sw,
						   const struct softib_pkt *pkt,
						   enum softib_counter *fate)
{
	struct softib_port *out = NULL;
	u16 dlid = pkt->av->dlid;

	if (dlid <= READ_ONCE(sw->lft_top))
		out = softib_switch_port(sw, READ_ONCE(sw->lft[dlid]));
	if (!out) {
		*fate = SOFTIB_DROP_NO_DEST;
		return NULL;
	}
	return out->num ? softib_switch_leave(out, pkt, fate) : out;
}

/**
 * softib_switch_route() - a unicast packet comes in by a cable
 * @in:   the switch's port
 * @pkt:  the packet
 * @fate: why it reaches nobody
 *
 * Any context. Return: an HCA's port; @in for what the switch's agents are to handle; or NULL.
 */
struct softib_port *softib_switch_route(struct softib_port *in, const struct softib_pkt *pkt,
					enum softib_counter *fate)
{
	struct softib_port *to;

	if (!softib_port_active(in) && !softib_pkt_is_smp(pkt)) {
		*fate = SOFTIB_DROP_PORT_DOWN;
		return NULL;
	}
	softib_wire_count_rcv(in, pkt);
	if (softib_pkt_is_directed(pkt))
		return in;
	to = softib_switch_route_lid(in->sw, pkt, fate);
	if (to && to->sw)
		return in;
	if (!to && *fate == SOFTIB_DROP_NO_DEST)
		softib_count_link(in->stats, SOFTIB_RCV_SWITCH_RELAY, 1);
	return to;
}

/**
 * softib_switch_multicast() - a multicast packet comes in by a cable
 * @in:  the switch's port
 * @pkt: the packet; goes out of every port its LID's entry names, but not back
 *
 * Under rcu_read_lock(). Return: SOFTIB_TX_DELIVERED if any port's member got it, else why not.
 */
enum softib_counter softib_switch_multicast(struct softib_port *in, const struct softib_pkt *pkt)
{
	enum softib_counter fate = SOFTIB_DROP_NO_MEMBER;
	u32 entry = pkt->av->dlid - be16_to_cpu(IB_MULTICAST_LID_BASE);
	struct softib_switch *sw = in->sw;
	unsigned int num;
	u64 mask;

	if (!softib_port_active(in))
		return SOFTIB_DROP_PORT_DOWN;
	softib_wire_count_rcv(in, pkt);
	mask = entry < SOFTIB_MFT_ENTRIES ? READ_ONCE(sw->mft[entry]) : 0;
	for (num = 1; num <= sw->num_ports; num++) {
		enum softib_counter one;
		struct softib_port *to;

		if (!(mask & BIT_ULL(num)) || num == in->num)
			continue;
		to = softib_switch_leave(&sw->ports[num], pkt, &one);
		if (to)
			one = softib_wire_arrive(to, pkt);
		if (fate != SOFTIB_TX_DELIVERED)
			fate = one;
	}
	return fate;
}

/*
 * Sends a packet of the switch itself, by its LID; what would come back to the switch is dropped.
 * Any context. Return: as softib_wire_xmit().
 */
enum softib_counter softib_switch_xmit(struct softib_switch *sw, const struct softib_pkt *pkt)
{
	enum softib_counter fate = SOFTIB_DROP_NO_DEST;
	struct softib_port *to;

	rcu_read_lock();
	to = softib_switch_route_lid(sw, pkt, &fate);
	if (to && !to->sw)
		fate = softib_wire_arrive(to, pkt);
	rcu_read_unlock();
	return fate;
}
