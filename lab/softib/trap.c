// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends traps (IBA volume 1, sections 13.4.8 and 14.2.5.1). Each is sent once: softib's fabric
 * loses no management packet, so there is nothing for TrapRepress to stop.
 */
#include "trap.h"

#include "device.h"
#include "port.h"
#include "switch.h"
#include "wire.h"

#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

/* Shortest time between two bursts of traps of a port; what repeats meanwhile is one trap. */
#define SOFTIB_TRAP_INTERVAL (HZ / 2)

static const struct {
	u16 number;
	u8 type;
} softib_trap_kinds[SOFTIB_NUM_TRAPS] = {
	[SOFTIB_TRAP_LINK_STATE] = { 128, IB_NOTICE_TYPE_URGENT },
	[SOFTIB_TRAP_LOCAL_CHANGE] = { 144, IB_NOTICE_TYPE_INFO },
	[SOFTIB_TRAP_BAD_MKEY] = { 256, IB_NOTICE_TYPE_SECURITY },
	[SOFTIB_TRAP_BAD_PKEY] = { 257, IB_NOTICE_TYPE_SECURITY },
	[SOFTIB_TRAP_BAD_QKEY] = { 258, IB_NOTICE_TYPE_SECURITY },
};

static void softib_fill_local_change(struct softib_port *port, struct ib_mad_notice_attr *notice)
{
	notice->details.ntc_144.lid = cpu_to_be16(port->lid);
	notice->details.ntc_144.new_cap_mask = cpu_to_be32(port->cap_mask);
	if (port->traps.node_desc_changed) {
		notice->details.ntc_144.local_changes = 1;
		notice->details.ntc_144.change_flags = IB_NOTICE_TRAP_NODE_DESC_CHG;
	}
	port->traps.node_desc_changed = false;
}

static void softib_fill_bad_mkey(struct softib_port *port, struct ib_mad_notice_attr *notice)
{
	const struct softib_violation *violation = &port->traps.violation[SOFTIB_TRAP_BAD_MKEY];

	notice->details.ntc_256.lid = cpu_to_be16(port->lid);
	notice->details.ntc_256.dr_slid = cpu_to_be16(violation->slid);
	notice->details.ntc_256.method = violation->method;
	notice->details.ntc_256.attr_id = violation->attr_id;
	notice->details.ntc_256.attr_mod = violation->attr_mod;
	notice->details.ntc_256.mkey = violation->mkey;
}

static void softib_fill_bad_key(const struct softib_violation *violation,
				struct ib_mad_notice_attr *notice)
{
	notice->details.ntc_257_258.lid1 = cpu_to_be16(violation->slid);
	notice->details.ntc_257_258.lid2 = cpu_to_be16(violation->dlid);
	notice->details.ntc_257_258.key = cpu_to_be32(violation->key);
	notice->details.ntc_257_258.sl_qp1 = cpu_to_be32(violation->sl << 28 | violation->src_qpn);
	notice->details.ntc_257_258.qp2 = cpu_to_be32(violation->dest_qpn);
	notice->details.ntc_257_258.gid1 = violation->sgid;
	notice->details.ntc_257_258.gid2 = violation->dgid;
}

static void softib_fill_notice(struct softib_port *port, enum softib_trap trap,
			       struct ib_mad_notice_attr *notice)
{
	notice->generic_type = softib_trap_kinds[trap].type;
	notice->prod_type_lsb = port->sw ? IB_NOTICE_PROD_SWITCH : IB_NOTICE_PROD_CA;
	notice->trap_num = cpu_to_be16(softib_trap_kinds[trap].number);
	notice->issuer_lid = cpu_to_be16(port->lid);
	switch (trap) {
	case SOFTIB_TRAP_LINK_STATE:
		/* The details start with the switch's LID. */
		*(__be16 *)notice->details.raw_data.details = cpu_to_be16(port->lid);
		break;
	case SOFTIB_TRAP_LOCAL_CHANGE:
		softib_fill_local_change(port, notice);
		break;
	case SOFTIB_TRAP_BAD_MKEY:
		softib_fill_bad_mkey(port, notice);
		break;
	default:
		softib_fill_bad_key(&port->traps.violation[trap], notice);
	}
}

/* False if there is nobody to tell: no LID, or no subnet manager that said it is one. */
static bool softib_trap_build(struct softib_port *port, enum softib_trap trap, struct ib_smp *smp,
			      u16 *sm_lid)
{
	unsigned long flags;
	bool known;

	memset(smp, 0, sizeof(*smp));
	smp->base_version = IB_MGMT_BASE_VERSION;
	smp->mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED;
	smp->class_version = 1;
	smp->method = IB_MGMT_METHOD_TRAP;
	smp->attr_id = IB_SMP_ATTR_NOTICE;
	BUILD_BUG_ON(sizeof(struct ib_mad_notice_attr) > sizeof(smp->data));

	spin_lock_irqsave(&port->lock, flags);
	known = port->lid && port->sm_lid;
	*sm_lid = port->sm_lid;
	smp->tid = cpu_to_be64(++port->traps.tid);
	smp->mkey = port->mkey;
	softib_fill_notice(port, trap, (struct ib_mad_notice_attr *)smp->data);
	spin_unlock_irqrestore(&port->lock, flags);
	return known;
}

static void softib_trap_send(struct softib_port *port, enum softib_trap trap)
{
	struct softib_av av = {};
	struct ib_sge sge = { .length = sizeof(struct ib_smp) };
	struct softib_pkt pkt = { .av = &av, .sge = &sge, .num_sge = 1, .len = sge.length };
	struct ib_smp smp;

	if (!softib_trap_build(port, trap, &smp, &av.dlid))
		return;
	sge.addr = (uintptr_t)&smp;
	pkt.slid = READ_ONCE(port->lid);
	if (port->sw)
		softib_switch_xmit(port->sw, &pkt);
	else
		softib_wire_xmit(port, &pkt);
}

static void softib_traps_work(struct work_struct *work)
{
	struct softib_port *port =
		container_of(to_delayed_work(work), struct softib_port, traps.work);
	int trap;

	WRITE_ONCE(port->traps.next, jiffies + SOFTIB_TRAP_INTERVAL);
	for (trap = 0; trap < SOFTIB_NUM_TRAPS; trap++)
		if (test_and_clear_bit(trap, &port->traps.pending))
			softib_trap_send(port, trap);
}

/* For an end port, before it is connected. */
void softib_traps_init(struct softib_port *port)
{
	INIT_DELAYED_WORK(&port->traps.work, softib_traps_work);
	port->traps.next = jiffies;
}

/* No trap is on its way when this returns, and none follows. May sleep. */
void softib_traps_stop(struct softib_port *port)
{
	spin_lock_irq(&port->lock);
	port->traps.stopped = true;
	spin_unlock_irq(&port->lock);
	cancel_delayed_work_sync(&port->traps.work);
}

/*
 * Has a trap sent soon, from a work queue, if there is a subnet manager then. Any context, port
 * lock held.
 */
void softib_trap_queue(struct softib_port *port, enum softib_trap trap)
{
	unsigned long next = READ_ONCE(port->traps.next);

	if (port->traps.stopped)
		return;
	set_bit(trap, &port->traps.pending);
	queue_delayed_work(system_wq, &port->traps.work,
			   time_after(next, jiffies) ? next - jiffies : 0);
}

/* As softib_trap_queue(), without the lock. */
void softib_trap(struct softib_port *port, enum softib_trap trap)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	softib_trap_queue(port, trap);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* The node's description is another one now. Any context, no port lock held. */
void softib_trap_node_desc(struct softib_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	port->traps.node_desc_changed = true;
	softib_trap_queue(port, SOFTIB_TRAP_LOCAL_CHANGE);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* PortInfo's violation counters stop at their maximum (IBA 14.2.5.6). */
static void softib_count_violation(u16 *counter)
{
	if (*counter != U16_MAX)
		++*counter;
}

/**
 * softib_trap_bad_key() - count a P_Key or Q_Key violation and tell the subnet manager
 * @port: where the packet arrived
 * @trap: SOFTIB_TRAP_BAD_PKEY or SOFTIB_TRAP_BAD_QKEY
 * @pkt:  the packet
 *
 * Any context, no port lock held.
 */
void softib_trap_bad_key(struct softib_port *port, enum softib_trap trap,
			 const struct softib_pkt *pkt)
{
	bool is_pkey = trap == SOFTIB_TRAP_BAD_PKEY;
	struct softib_violation violation = {
		.slid = pkt->slid,
		.dlid = pkt->av->dlid,
		.key = is_pkey ? pkt->pkey : pkt->qkey,
		.src_qpn = pkt->src_qpn,
		.dest_qpn = pkt->dest_qpn,
		.sl = pkt->av->sl,
	};
	unsigned long flags;

	if (is_pkey)
		softib_count_link(port->stats, SOFTIB_RCV_CONSTRAINT, 1);
	if (pkt->av->has_grh) {
		violation.sgid = pkt->av->grh.sgid;
		violation.dgid = pkt->av->grh.dgid;
	}
	spin_lock_irqsave(&port->lock, flags);
	softib_count_violation(is_pkey ? &port->bad_pkeys : &port->bad_qkeys);
	port->traps.violation[trap] = violation;
	softib_trap_queue(port, trap);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* As softib_trap_bad_key(), for a management packet with a wrong M_Key. Caller holds the lock. */
void softib_trap_bad_mkey(struct softib_port *port, const struct ib_smp *smp)
{
	struct softib_violation *violation = &port->traps.violation[SOFTIB_TRAP_BAD_MKEY];

	softib_count_violation(&port->bad_mkeys);
	violation->slid = be16_to_cpu(smp->dr_slid);
	violation->method = smp->method;
	violation->attr_id = smp->attr_id;
	violation->attr_mod = smp->attr_mod;
	violation->mkey = smp->mkey;
	softib_trap_queue(port, SOFTIB_TRAP_BAD_MKEY);
}
