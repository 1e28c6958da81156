// SPDX-License-Identifier: GPL-2.0-only
/* Carries packets from a port to its peer, or back to itself, in the sender's context. */
#include "wire.h"

#include "device.h"
#include "mcast.h"
#include "port.h"
#include "qp.h"
#include "recv.h"

#include <linux/rcupdate.h>

#define SOFTIB_IS_SMP(pkt) ((pkt)->dest_qpn == 0)

static void softib_wire_count_rcv(struct softib_port *port, const struct softib_pkt *pkt)
{
	softib_count_link(port->stats, SOFTIB_RCV_OCTETS, softib_pkt_wire_octets(pkt));
	softib_count_link(port->stats, pkt->multicast ? SOFTIB_RCV_MULTICAST : SOFTIB_RCV_UNICAST,
			  softib_pkt_wire_packets(pkt));
}

static void softib_wire_count_xmit(struct softib_port *port, const struct softib_pkt *pkt)
{
	softib_count_link(port->stats, SOFTIB_XMIT_OCTETS, softib_pkt_wire_octets(pkt));
	softib_count_link(port->stats, pkt->multicast ? SOFTIB_XMIT_MULTICAST : SOFTIB_XMIT_UNICAST,
			  softib_pkt_wire_packets(pkt));
}

/* The destination queue pair at a port. Under rcu_read_lock(). */
static struct softib_qp *softib_wire_dest(struct softib_port *port, u32 qpn)
{
	if (likely(qpn > 1))
		return softib_qp_find(port->dev, qpn);
	return rcu_dereference(port->special[qpn]);
}

/**
 * softib_wire_arrive() - a packet reaches the port it was routed to
 * @port: an HCA's port, as softib_wire_route() found it
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

	if (unlikely(!softib_port_active(port) && !SOFTIB_IS_SMP(pkt)))
		return SOFTIB_DROP_PORT_DOWN;
	softib_wire_count_rcv(port, pkt);
	if (pkt->multicast)
		return softib_mcast_deliver(port, pkt);

	qp = softib_wire_dest(port, pkt->dest_qpn);
	fate = likely(qp) ? softib_recv(qp, pkt) : SOFTIB_DROP_NO_DEST;
	if (unlikely(SOFTIB_IS_SMP(pkt) && fate != SOFTIB_TX_DELIVERED))
		softib_count_link(port->stats, SOFTIB_VL15_DROPPED, 1);
	return fate;
}

/* The other end of the cable, or NULL if the link is down. */
static struct softib_port *softib_wire_cross(struct softib_port *port, const struct softib_pkt *pkt)
{
	if (unlikely(!port->peer || READ_ONCE(port->phys_state) != IB_PORT_PHYS_STATE_LINK_UP)) {
		softib_count_link(port->stats, SOFTIB_XMIT_DISCARDS, 1);
		return NULL;
	}
	softib_wire_count_xmit(port, pkt);
	return port->peer;
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
	if (dlid != SOFTIB_LID_PERMISSIVE && unlikely(!softib_port_has_lid(peer, dlid))) {
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
	enum softib_counter far = peer ? softib_wire_arrive(peer, pkt) : SOFTIB_DROP_PORT_DOWN;
	enum softib_counter near = softib_mcast_deliver(port, pkt);

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

	if (unlikely(!softib_port_active(port) && !SOFTIB_IS_SMP(pkt)))
		return SOFTIB_DROP_PORT_DOWN;
	if (unlikely(READ_ONCE(port->dev->drop_unicast)) && pkt->src_qp->is_data && !pkt->multicast)
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
