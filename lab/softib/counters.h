/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened to every work request and packet, counted per port and per CPU. */
#ifndef SOFTIB_COUNTERS_H
#define SOFTIB_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct ib_device;
struct rdma_hw_stats;

/*
 * Order is the order of softib_counter_descs[]. The first drop is also the first value a packet's
 * fate can take, so that a fate indexes the counters directly.
 */
enum softib_counter {
	SOFTIB_TX_WRS,
	SOFTIB_TX_DOORBELLS,
	SOFTIB_TX_CQES,
	SOFTIB_TX_EVENTS,
	SOFTIB_TX_ERRORS,
	SOFTIB_TX_DISCARDED,
	SOFTIB_TX_DELIVERED,
	SOFTIB_RC_WRS,
	SOFTIB_RC_RETRIES,
	SOFTIB_RC_RNR_RETRIES,
	SOFTIB_RX_WRS,
	SOFTIB_RX_CQES,
	SOFTIB_RX_EVENTS,
	SOFTIB_RX_DELIVERED,
	SOFTIB_DROP_FABRIC,
	SOFTIB_DROP_PORT_DOWN,
	SOFTIB_DROP_NO_DEST,
	SOFTIB_DROP_NO_MEMBER,
	SOFTIB_DROP_QP_STATE,
	SOFTIB_DROP_QKEY,
	SOFTIB_DROP_PKEY,
	SOFTIB_DROP_LENGTH,
	SOFTIB_DROP_NO_RECEIVE_WR,
	SOFTIB_DROP_RECEIVE_FAULT,
	SOFTIB_CQ_OVERFLOWS,
	SOFTIB_AH_DESTROYED_IN_USE,
	SOFTIB_NUM_COUNTERS,
};

/* The link's own counters, every packet of every queue pair, as the PMA reports them. */
enum softib_link_counter {
	SOFTIB_XMIT_OCTETS,
	SOFTIB_XMIT_UNICAST,
	SOFTIB_XMIT_MULTICAST,
	SOFTIB_RCV_OCTETS,
	SOFTIB_RCV_UNICAST,
	SOFTIB_RCV_MULTICAST,
	SOFTIB_XMIT_DISCARDS,
	SOFTIB_VL15_DROPPED,
	SOFTIB_RCV_CONSTRAINT,
	SOFTIB_RCV_SWITCH_RELAY,
	SOFTIB_LINK_DOWNED,
	SOFTIB_NUM_LINK_COUNTERS,
};

struct softib_stats {
	u64 verbs[SOFTIB_NUM_COUNTERS];
	u64 link[SOFTIB_NUM_LINK_COUNTERS];
};

static inline void softib_count(struct softib_stats __percpu *stats, enum softib_counter which,
				u64 by)
{
	this_cpu_add(stats->verbs[which], by);
}

static inline void softib_count_link(struct softib_stats __percpu *stats,
				     enum softib_link_counter which, u64 by)
{
	this_cpu_add(stats->link[which], by);
}

u64 softib_counter_read(struct softib_stats __percpu *stats, enum softib_counter which);
u64 softib_link_counter_read(struct softib_stats __percpu *stats, enum softib_link_counter which);
struct rdma_hw_stats *softib_alloc_hw_port_stats(struct ib_device *ibdev, u32 port_num);
int softib_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port_num,
			int index);

#endif
