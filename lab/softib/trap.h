/* SPDX-License-Identifier: GPL-2.0-only */
/* Traps: a port tells the subnet manager what happened to it. */
#ifndef SOFTIB_TRAP_H
#define SOFTIB_TRAP_H

#include <linux/types.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct ib_smp;
struct softib_pkt;
struct softib_port;

enum softib_trap {
	SOFTIB_TRAP_LINK_STATE, /* 128: a link of the switch came or went */
	SOFTIB_TRAP_LOCAL_CHANGE, /* 144: capability mask or node description */
	SOFTIB_TRAP_BAD_MKEY, /* 256 */
	SOFTIB_TRAP_BAD_PKEY, /* 257 */
	SOFTIB_TRAP_BAD_QKEY, /* 258 */
	SOFTIB_NUM_TRAPS,
};

/**
 * struct softib_violation - the packet a key violation was about
 * @key: the P_Key, Q_Key or, in @mkey, M_Key it had
 */
struct softib_violation {
	u16 slid;
	u16 dlid;
	u32 key;
	u32 src_qpn;
	u32 dest_qpn;
	u8 sl;
	union ib_gid sgid;
	union ib_gid dgid;
	__be64 mkey;
	__be16 attr_id;
	__be32 attr_mod;
	u8 method;
};

/**
 * struct softib_traps - what an end port has to tell
 * @pending:   bits 1 << enum softib_trap
 * @violation: the latest violation of each kind, guarded by the port lock
 * @node_desc_changed: part of SOFTIB_TRAP_LOCAL_CHANGE
 * @next:      jiffies before which nothing is sent
 * @tid:       transaction number of the latest trap
 * @stopped:   nothing is queued any more, guarded by the port lock
 * @work:      sends
 */
struct softib_traps {
	unsigned long pending;
	struct softib_violation violation[SOFTIB_NUM_TRAPS];
	bool node_desc_changed;
	bool stopped;
	unsigned long next;
	u64 tid;
	struct delayed_work work;
};

void softib_traps_init(struct softib_port *port);
void softib_traps_stop(struct softib_port *port);
void softib_trap(struct softib_port *port, enum softib_trap trap);
void softib_trap_queue(struct softib_port *port, enum softib_trap trap);
void softib_trap_node_desc(struct softib_port *port);
void softib_trap_bad_key(struct softib_port *port, enum softib_trap trap,
			 const struct softib_pkt *pkt);
void softib_trap_bad_mkey(struct softib_port *port, const struct ib_smp *smp);

#endif
