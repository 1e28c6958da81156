// SPDX-License-Identifier: GPL-2.0-only
/* Multicast: attachments of queue pairs to groups, and delivery of a packet to all of them. */
#include "mcast.h"

#include "device.h"
#include "port.h"
#include "qp.h"
#include "recv.h"
#include "wire.h"

#include <linux/rculist.h>
#include <linux/slab.h>

/**
 * struct softib_member - one queue pair in one group
 * @node: in port->groups
 * @gid:  the group
 * @qp:   stays alive: destroying a queue pair needs all its attachments gone
 * @rcu:  frees it after the last reader
 */
struct softib_member {
	struct list_head node;
	union ib_gid gid;
	struct softib_qp *qp;
	struct rcu_head rcu;
};

/* The port may have changed since the queue pair was attached. Caller holds dev->mcast_lock. */
static struct softib_member *softib_member_find(const struct softib_qp *qp, const union ib_gid *gid)
{
	struct softib_member *member;
	u32 i;

	for (i = 0; i < qp->dev->ibdev.phys_port_cnt; i++)
		list_for_each_entry(member, &qp->dev->ports[i].groups, node)
			if (member->qp == qp && !memcmp(&member->gid, gid, sizeof(*gid)))
				return member;
	return NULL;
}

/*
 * ib_device_ops.attach_mcast: attaching twice is one attachment (IBA 11.3.1.1). 0, -EINVAL,
 * -ENOMEM. May sleep.
 */
int softib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct softib_qp *qp = softib_qp(ibqp);
	struct softib_port *port = qp->port;
	struct softib_member *member;

	if (!port)
		return -EINVAL;
	member = kzalloc(sizeof(*member), GFP_KERNEL);
	if (!member)
		return -ENOMEM;
	member->gid = *gid;
	member->qp = qp;

	mutex_lock(&qp->dev->mcast_lock);
	if (softib_member_find(qp, gid))
		kfree(member);
	else
		list_add_tail_rcu(&member->node, &port->groups);
	mutex_unlock(&qp->dev->mcast_lock);
	return 0;
}

/* ib_device_ops.detach_mcast: 0, or -EINVAL if it was not attached. May sleep. */
int softib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	struct softib_qp *qp = softib_qp(ibqp);
	struct softib_member *member;

	mutex_lock(&qp->dev->mcast_lock);
	member = softib_member_find(qp, gid);
	if (member)
		list_del_rcu(&member->node);
	mutex_unlock(&qp->dev->mcast_lock);

	if (!member)
		return -EINVAL;
	kfree_rcu(member, rcu);
	return 0;
}

/**
 * softib_mcast_deliver() - hand a multicast packet to the port's members of its group
 * @port: where it arrived
 * @pkt:  the packet; its GRH names the group
 *
 * Under rcu_read_lock(). Return: SOFTIB_TX_DELIVERED if any member got it, else why the last one
 * did not.
 */
enum softib_counter softib_mcast_deliver(struct softib_port *port, const struct softib_pkt *pkt)
{
	enum softib_counter fate = SOFTIB_DROP_NO_MEMBER;
	struct softib_member *member;

	list_for_each_entry_rcu(member, &port->groups, node) {
		enum softib_counter one;

		if (memcmp(&member->gid, &pkt->av->grh.dgid, sizeof(member->gid)))
			continue;
		if (member->qp == pkt->src_qp && member->qp->block_loopback)
			continue;
		one = softib_recv(member->qp, pkt);
		if (fate != SOFTIB_TX_DELIVERED)
			fate = one;
	}
	return fate;
}
