/* SPDX-License-Identifier: GPL-2.0-only */
/* The link between ports: which port a packet reaches. */
#ifndef SOFTIB_WIRE_H
#define SOFTIB_WIRE_H

#include "ah.h"
#include "counters.h"
#include "port.h"
#include "rc.h"

struct softib_qp;

/**
 * struct softib_pkt - a datagram on its way; points into the sender's slot
 * @src_qp:  who sent it, or NULL for a management agent without a queue pair
 * @src_qpn: its number
 * @rc:      what a request of a connection has besides, or NULL for a datagram
 * @av:      address vector: destination LID, SL, GRH
 * @sge:     payload, keys checked
 * @num_sge: entries in @sge
 * @len:     octets of payload
 * @slid:    source LID
 */
struct softib_pkt {
	struct softib_qp *src_qp;
	struct softib_rc_req *rc;
	const struct softib_av *av;
	const struct ib_sge *sge;
	u32 num_sge;
	u32 len;
	u32 src_qpn;
	u32 dest_qpn;
	u32 qkey;
	__be32 imm_data;
	u16 slid;
	u16 pkey;
	bool has_imm;
	bool solicited;
	bool multicast;
};

/* Octets after the GRH: BTH, DETH, payload padded to 4, invariant CRC (IBA 8.3.4). */
static inline u16 softib_pkt_grh_paylen(const struct softib_pkt *pkt)
{
	return 12 + 8 + (pkt->has_imm ? 4 : 0) + ALIGN(pkt->len, 4) + 4;
}

/* Packets it takes on the wire. */
static inline u32 softib_pkt_wire_packets(const struct softib_pkt *pkt)
{
	return unlikely(pkt->rc) ? pkt->rc->packets : 1;
}

/*
 * Octets on the wire: LRH, GRH if any, the rest, variant CRC. The packets of a connection have no
 * DETH (IBA 9.3), and acknowledgements are not counted.
 */
static inline u32 softib_pkt_wire_octets(const struct softib_pkt *pkt)
{
	u32 each = 8 + (pkt->av->has_grh ? 40 : 0) + 2;

	if (likely(!pkt->rc))
		return each + softib_pkt_grh_paylen(pkt);
	return (each + 12 + 4) * pkt->rc->packets + (pkt->has_imm ? 4 : 0) + ALIGN(pkt->len, 4);
}

static inline bool softib_pkt_is_smp(const struct softib_pkt *pkt)
{
	return pkt->dest_qpn == 0;
}

/* Goes where the subnet management packet in it says, not where a LID leads. */
static inline bool softib_pkt_is_directed(const struct softib_pkt *pkt)
{
	return pkt->av->dlid == SOFTIB_LID_PERMISSIVE;
}

static inline void softib_wire_count_rcv(struct softib_port *port, const struct softib_pkt *pkt)
{
	softib_count_link(port->stats, SOFTIB_RCV_OCTETS, softib_pkt_wire_octets(pkt));
	softib_count_link(port->stats, pkt->multicast ? SOFTIB_RCV_MULTICAST : SOFTIB_RCV_UNICAST,
			  softib_pkt_wire_packets(pkt));
}

static inline void softib_wire_count_xmit(struct softib_port *port, const struct softib_pkt *pkt)
{
	softib_count_link(port->stats, SOFTIB_XMIT_OCTETS, softib_pkt_wire_octets(pkt));
	softib_count_link(port->stats, pkt->multicast ? SOFTIB_XMIT_MULTICAST : SOFTIB_XMIT_UNICAST,
			  softib_pkt_wire_packets(pkt));
}

/*
 * Out of a port and over its cable: the other end, or NULL if the link is down; counted either way.
 * Any context.
 */
static inline struct softib_port *softib_wire_cross(struct softib_port *port,
						    const struct softib_pkt *pkt)
{
	if (unlikely(!port->peer || READ_ONCE(port->phys_state) != IB_PORT_PHYS_STATE_LINK_UP)) {
		softib_count_link(port->stats, SOFTIB_XMIT_DISCARDS, 1);
		return NULL;
	}
	softib_wire_count_xmit(port, pkt);
	return port->peer;
}

enum softib_counter softib_wire_xmit(struct softib_port *port, const struct softib_pkt *pkt);
struct softib_port *softib_wire_route(struct softib_port *port, const struct softib_pkt *pkt,
				      enum softib_counter *fate);
enum softib_counter softib_wire_arrive(struct softib_port *port, const struct softib_pkt *pkt);

#endif
