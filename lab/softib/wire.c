// SPDX-License-Identifier: GPL-2.0-only
/* Carries packets from a port to its peer, or back to itself, in the sender's context. */
#include "wire.h"

#include "device.h"
#include "mcast.h"
#include "port.h"
#include "qp.h"
#include "recv.h"
#include "switch.h"

#include <linux/rcupdate.h>

/* The destination queue pair at a port. Under rcu_read_lock(). */
static struct softib_qp *softib_wire_dest(struct softib_port *port, u32 qpn)
{
	if (likely(qpn > 1))
		return softib_qp_find(port->dev, qpn);
	return rcu_dereference(port->special[qpn]);
}

/**
 * softib_wire_arrive() - a packet reaches the port it was routed to
 * @port: as softib_wire_route() found it: an HCA's, or a switch's for its agents
 * @pkt:  the packet
 *
 * Under rcu_read_lock(), any context. Management packets of QP0 pass in every state but DOWN (IBA
 * 7.2.6).
 *
 * Return: SOFTIB_TX_DELIVERED if a receive queue took it, else the drop to count at the sender.
 */
enum softib_counter softib_wire_arrive(struct softib_port *port, const struct softib_pkt *pkt)
{
	enum softib_counter fate;
	struct softib_qp *qp;

	if (unlikely(port->sw))
		return softib_switch_mad(port, pkt);
	if (unlikely(!softib_port_active(port) && !softib_pkt_is_smp(pkt)))
		return SOFTIB_DROP_PORT_DOWN;
	softib_wire_count_rcv(port, pkt);
	if (pkt->multicast)
		return softib_mcast_deliver(port, pkt);

	qp = softib_wire_dest(port, pkt->dest_qpn);
	fate = likely(qp) ? softib_recv(qp, pkt) : SOFTIB_DROP_NO_DEST;
	if (unlikely(softib_pkt_is_smp(pkt) && fate != SOFTIB_TX_DELIVERED))
		softib_count_link(port->stats, SOFTIB_VL15_DROPPED, 1);
	return fate;
}

/**
 * softib_wire_route() - which port a unicast packet reaches
 * @port: the sender's port
 * @pkt:  the packet; counted at the links it crosses
 * @fate: why it reaches none
 *
 * Any context. Return: the port to call softib_wire_arrive() for, or NULL.
 */
struct softib_port *softib_wire_route(struct softib_port *port, const struct softib_pkt *pkt,
				      enum softib_counter *fate)
{
	u16 dlid = pkt->av->dlid;
	struct softib_port *peer;

	if (unlikely(softib_port_has_lid(port, dlid)))
		return port;
	peer = softib_wire_cross(port, pkt);
	if (unlikely(!peer)) {
		*fate = SOFTIB_DROP_PORT_DOWN;
		return NULL;
	}
	if (peer->sw)
		peer = softib_switch_route(peer, pkt, fate);
	if (unlikely(!peer))
		return NULL;
	if (unlikely(!softib_port_has_lid(peer, dlid)) && !peer->sw &&
	    !softib_pkt_is_directed(pkt)) {
		*fate = SOFTIB_DROP_NO_DEST;
		return NULL;
	}
	return peer;
}

/* To the members of the group at the other end, and at this one. */
static enum softib_counter softib_wire_multicast(struct softib_port *port,
						 const struct softib_pkt *pkt)
{
	struct softib_port *peer = softib_wire_cross(port, pkt);
	enum softib_counter near, far;

	if (!peer)
		far = SOFTIB_DROP_PORT_DOWN;
	else if (peer->sw)
		far = softib_switch_multicast(peer, pkt);
	else
		far = softib_wire_arrive(peer, pkt);
	near = softib_mcast_deliver(port, pkt);
	return near == SOFTIB_TX_DELIVERED ? near : far;
}

/**
 * softib_wire_xmit() - send a packet from a port
 * @port: the sender's port
 * @pkt:  the packet
 *
 * Any context; delivers before it returns, taking only the receiver's RQ and CQ locks.
 *
 * Return: SOFTIB_TX_DELIVERED if a receive queue took it, else the drop to count at the sender.
 */
enum softib_counter softib_wire_xmit(struct softib_port *port, const struct softib_pkt *pkt)
{
	enum softib_counter fate;
	struct softib_port *to;

	if (unlikely(!softib_port_active(port) && !softib_pkt_is_smp(pkt)))
		return SOFTIB_DROP_PORT_DOWN;
	if (unlikely(READ_ONCE(port->dev->drop_unicast)) && pkt->src_qpn > 1 && !pkt->multicast)
		return SOFTIB_DROP_FABRIC;

	rcu_read_lock();
	if (pkt->multicast) {
		fate = softib_wire_multicast(port, pkt);
	} else {
		to = softib_wire_route(port, pkt, &fate);
		if (likely(to))
			fate = softib_wire_arrive(to, pkt);
	}
	rcu_read_unlock();
	return fate;
}
