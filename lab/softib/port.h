/* SPDX-License-Identifier: GPL-2.0-only */
/* A port: its link state, its tables, and the events ib_core hears of them. */
#ifndef SOFTIB_PORT_H
#define SOFTIB_PORT_H

#include "counters.h"
#include "trap.h"

#include <linux/list.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>

#define SOFTIB_PKEYS 32
#define SOFTIB_GUIDS 8
#define SOFTIB_VLARB_BLOCKS 4
#define SOFTIB_VLARB_OCTETS 64
#define SOFTIB_SLTOVL_OCTETS 8
#define SOFTIB_LID_MULTICAST 0xc000
#define SOFTIB_LID_PERMISSIVE 0xffff
#define SOFTIB_VENDOR_ID 0x000000
#define SOFTIB_DEVICE_ID 0x5f1b
#define SOFTIB_SWITCH_DEVICE_ID 0x5f1c

struct softib_dev;
struct softib_qp;
struct softib_switch;

/**
 * struct softib_port - one port of an HCA or a switch
 * @dev:     the HCA, NULL at a switch
 * @sw:      the switch, NULL at an HCA
 * @num:     from 1; a switch's port 0 is the switch itself and has no link
 * @peer:    the port at the other end of the cable, or NULL
 * @lock:    guards what follows; the data path reads single fields without it
 * @state:   enum ib_port_state
 * @phys_state: enum ib_port_phys_state
 * @mkey_lease_runs: somebody without the M_Key was here; protection ends at @mkey_lease_end
 * @mkey_lease_end: in jiffies
 * @traps:   what the subnet manager is to hear; end ports only
 * @stats:   per-CPU counters
 * @special: QP0 and QP1
 * @groups:  attached queue pairs; RCU readers, changed under dev->mcast_lock
 *
 * The other fields are those of PortInfo (IBA 14.2.5.6), in host byte order unless their type says
 * otherwise.
 */
struct softib_port {
	struct softib_dev *dev;
	struct softib_switch *sw;
	u32 num;
	struct softib_port *peer;
	spinlock_t lock; /* see above */
	u8 state;
	u8 phys_state;
	u16 lid;
	u16 sm_lid;
	u8 lmc;
	u8 sm_sl;
	u8 mtu_cap;
	u8 neighbor_mtu;
	u8 subnet_timeout;
	u8 init_type;
	u8 mkey_protect;
	u8 vl_high_limit;
	u8 link_width_enabled;
	u8 link_speed_enabled;
	u8 operational_vls;
	u8 vl_stall_hoq;
	u8 error_thresholds;
	u16 mkey_lease;
	u16 bad_mkeys;
	u16 bad_pkeys;
	u16 bad_qkeys;
	u32 cap_mask;
	__be64 mkey;
	bool mkey_lease_runs;
	unsigned long mkey_lease_end;
	__be64 gid_prefix;
	__be64 guids[SOFTIB_GUIDS];
	u16 pkeys[SOFTIB_PKEYS];
	u8 sl_to_vl[SOFTIB_SLTOVL_OCTETS];
	u8 vl_arb[SOFTIB_VLARB_BLOCKS][SOFTIB_VLARB_OCTETS];
	u64 link_base[SOFTIB_NUM_LINK_COUNTERS];
	struct softib_traps traps;
	struct softib_stats __percpu *stats;
	struct softib_qp __rcu *special[2];
	struct list_head groups;
};

/* The port number @num names, or NULL. */
struct softib_port *softib_port_get(struct softib_dev *dev, u32 num);

int softib_ports_alloc(struct softib_dev *dev);
void softib_ports_quiet(struct softib_dev *dev);
void softib_ports_free(struct softib_dev *dev);
int softib_switch_ports_alloc(struct softib_switch *sw);
void softib_switch_ports_free(struct softib_switch *sw);
void softib_port_connect(struct softib_port *a, struct softib_port *b);
void softib_port_set_state(struct softib_port *port, enum ib_port_state state);
void softib_port_link_down(struct softib_port *port, enum ib_port_phys_state phys_state);
void softib_port_link_train(struct softib_port *port);
void softib_port_link_enable(struct softib_port *port);
void softib_port_event(struct softib_port *port, enum ib_event_type type);

int softib_query_port(struct ib_device *ibdev, u32 port_num, struct ib_port_attr *attr);
int softib_modify_port(struct ib_device *ibdev, u32 port_num, int mask,
		       struct ib_port_modify *modify);
int softib_query_pkey(struct ib_device *ibdev, u32 port_num, u16 index, u16 *pkey);
int softib_query_gid(struct ib_device *ibdev, u32 port_num, int index, union ib_gid *gid);

/* Octets a data packet's payload may have on this link. */
static inline u32 softib_port_mtu(const struct softib_port *port)
{
	return 128U << READ_ONCE(port->neighbor_mtu);
}

static inline bool softib_port_active(const struct softib_port *port)
{
	return READ_ONCE(port->state) == IB_PORT_ACTIVE;
}

/* Does the port have a LID of its own? A switch's external ports have not. */
static inline bool softib_port_is_end(const struct softib_port *port)
{
	return !port->sw || !port->num;
}

/* A switch's port 0 leads to no cable. */
static inline bool softib_port_has_link(const struct softib_port *port)
{
	return port->num;
}

/* Is @lid one of the port's own (IBA 4.1.3: a base LID and 2^LMC - 1 after it)? */
static inline bool softib_port_has_lid(const struct softib_port *port, u16 lid)
{
	u16 base = READ_ONCE(port->lid);

	return base && lid >> port->lmc == base >> port->lmc;
}

static inline bool softib_lid_is_unicast(u16 lid)
{
	return lid && lid < SOFTIB_LID_MULTICAST;
}

/* Do two P_Keys let packets pass (IBA 10.9.3: same number, at least one full member)? */
static inline bool softib_pkey_match(u16 a, u16 b)
{
	return (a & 0x7fff) && !((a ^ b) & 0x7fff) && ((a | b) & 0x8000);
}

#endif
