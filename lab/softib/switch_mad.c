// SPDX-License-Identifier: GPL-2.0-only
/* A switch's management datagrams: directed routing, its agents' answers, its own notices. */
#include "switch.h"

#include "ah.h"
#include "mad.h"
#include "port.h"
#include "sg.h"
#include "smp_route.h"
#include "wire.h"

#include <linux/slab.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_pma.h>
#include <rdma/ib_smi.h>

/* A datagram in one piece and the packet that carries it. */
struct softib_switch_dgram {
	struct softib_pkt pkt;
	struct softib_av av;
	struct ib_sge sge;
	struct ib_mad mad;
};

/* Sends out of an external port, whatever the tables say. */
static enum softib_counter softib_switch_send_port(struct softib_switch *sw, unsigned int num,
						   struct softib_switch_dgram *dgram)
{
	struct softib_port *to;

	if (num < 1 || num > sw->num_ports)
		return SOFTIB_DROP_NO_DEST;
	to = softib_wire_cross(&sw->ports[num], &dgram->pkt);
	return to ? softib_wire_arrive(to, &dgram->pkt) : SOFTIB_DROP_PORT_DOWN;
}

static enum softib_counter softib_switch_send_lid(struct softib_switch *sw, u16 dlid,
						  struct softib_switch_dgram *dgram)
{
	dgram->av.dlid = dlid;
	dgram->pkt.slid = READ_ONCE(sw->ports[0].lid);
	return softib_switch_xmit(sw, &dgram->pkt);
}

/* The switch takes the sender's place: its answer goes to where the question came from. */
static void softib_switch_turn(struct softib_switch_dgram *dgram)
{
	struct softib_pkt *pkt = &dgram->pkt;

	pkt->dest_qpn = pkt->src_qpn;
	pkt->src_qp = NULL;
	pkt->src_qpn = softib_pkt_is_smp(pkt) ? 0 : 1;
	pkt->qkey = IB_QP1_QKEY;
	dgram->av.has_grh = false;
}

/* Moves a directed-route packet on by one step. */
static enum softib_counter softib_switch_step(struct softib_switch *sw, unsigned int ingress,
					      struct softib_switch_dgram *dgram, bool *local)
{
	unsigned int out;

	*local = false;
	switch (softib_smp_route((struct ib_smp *)&dgram->mad, ingress, &out)) {
	case SOFTIB_SMP_PORT:
		dgram->av.dlid = SOFTIB_LID_PERMISSIVE;
		dgram->pkt.slid = SOFTIB_LID_PERMISSIVE;
		return softib_switch_send_port(sw, out, dgram);
	case SOFTIB_SMP_LID:
		return softib_switch_send_lid(sw, out, dgram);
	case SOFTIB_SMP_LOCAL:
		*local = true;
		return SOFTIB_TX_DELIVERED;
	default:
		return SOFTIB_DROP_NO_DEST;
	}
}

/* Lets the agents answer. True if there is an answer, in place of the question. */
static bool softib_switch_answer(struct softib_port *in, struct ib_mad *mad)
{
	return softib_mad_answer(in, mad) & IB_MAD_RESULT_REPLY;
}

static enum softib_counter softib_switch_directed(struct softib_port *in,
						  struct softib_switch_dgram *dgram)
{
	enum softib_counter fate;
	bool local;

	fate = softib_switch_step(in->sw, in->num, dgram, &local);
	if (!local || !softib_switch_answer(in, &dgram->mad))
		return fate;
	softib_switch_turn(dgram);
	softib_switch_step(in->sw, 0, dgram, &local);
	return SOFTIB_TX_DELIVERED;
}

static enum softib_counter softib_switch_routed(struct softib_port *in,
						struct softib_switch_dgram *dgram)
{
	u16 asker = dgram->pkt.slid;

	if (!softib_switch_answer(in, &dgram->mad))
		return SOFTIB_DROP_NO_DEST;
	softib_switch_turn(dgram);
	softib_switch_send_lid(in->sw, asker, dgram);
	return SOFTIB_TX_DELIVERED;
}

static enum softib_counter softib_switch_handle(struct softib_port *in,
						struct softib_switch_dgram *dgram)
{
	bool smp = softib_pkt_is_smp(&dgram->pkt);

	switch (dgram->mad.mad_hdr.mgmt_class) {
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
		return smp ? softib_switch_directed(in, dgram) : SOFTIB_DROP_NO_DEST;
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
		return smp ? softib_switch_routed(in, dgram) : SOFTIB_DROP_NO_DEST;
	case IB_MGMT_CLASS_PERF_MGMT:
		return smp ? SOFTIB_DROP_NO_DEST : softib_switch_routed(in, dgram);
	default:
		return SOFTIB_DROP_NO_DEST;
	}
}

/**
 * softib_switch_mad() - a packet for the switch itself, or one on a directed route
 * @in:  the port it came in by
 * @pkt: the packet
 *
 * Under rcu_read_lock(), any context: an answer is on its way when this returns. A switch has QP0
 * and QP1 alone.
 *
 * Return: SOFTIB_TX_DELIVERED if it was handled or went on, else the drop to count at the sender.
 */
enum softib_counter softib_switch_mad(struct softib_port *in, const struct softib_pkt *pkt)
{
	struct softib_switch_dgram *dgram;
	enum softib_counter fate;

	if (pkt->dest_qpn > 1 || pkt->len != sizeof(dgram->mad))
		return SOFTIB_DROP_NO_DEST;
	dgram = kmalloc(sizeof(*dgram), GFP_ATOMIC);
	if (!dgram)
		return SOFTIB_DROP_NO_RECEIVE_WR;
	dgram->pkt = *pkt;
	dgram->av = *pkt->av;
	dgram->sge.addr = (uintptr_t)&dgram->mad;
	dgram->sge.length = sizeof(dgram->mad);
	softib_sg_copy(&dgram->sge, 1, 0, pkt->sge, pkt->num_sge);
	dgram->pkt.av = &dgram->av;
	dgram->pkt.sge = &dgram->sge;
	dgram->pkt.num_sge = 1;
	fate = softib_switch_handle(in, dgram);
	kfree(dgram);
	return fate;
}
