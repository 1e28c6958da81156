/* SPDX-License-Identifier: GPL-2.0-only */
/* A switch: forwards by the tables the subnet manager writes; a node without an ib_device. */
#ifndef SOFTIB_SWITCH_H
#define SOFTIB_SWITCH_H

#include "counters.h"

#include <rdma/ib_verbs.h>

#define SOFTIB_LFT_ENTRIES 0xc000
#define SOFTIB_LFT_NO_PORT 0xff
#define SOFTIB_MFT_ENTRIES 1024

struct softib_pkt;
struct softib_port;

/**
 * struct softib_switch - one switch
 * @index:     number of its subnet; decides the GUID
 * @num_ports: external ports
 * @ports:     port 0, which is the switch itself, and the external ones
 * @lft_top:   highest LID @lft is good for (LinearFDBTop)
 * @lft:       port number by LID
 * @mft:       bit mask of ports by multicast LID
 * @life_time: SwitchInfo's LifeTimeValue, kept without effect
 * @changed:   a port's state changed since the subnet manager last cleared it (PortStateChange)
 *
 * Packets read the tables without a lock, an entry at a time.
 */
struct softib_switch {
	unsigned int index;
	u32 num_ports;
	struct softib_port *ports;
	u16 lft_top;
	u8 life_time;
	bool changed;
	u8 lft[SOFTIB_LFT_ENTRIES];
	u64 mft[SOFTIB_MFT_ENTRIES];
};

struct softib_switch *softib_switch_alloc(unsigned int index, u32 num_ports);
void softib_switch_free(struct softib_switch *sw);
struct softib_port *softib_switch_port(struct softib_switch *sw, u32 num);
void softib_switch_port_changed(struct softib_port *port);
struct softib_port *softib_switch_route(struct softib_port *in, const struct softib_pkt *pkt,
					enum softib_counter *fate);
enum softib_counter softib_switch_multicast(struct softib_port *in, const struct softib_pkt *pkt);
enum softib_counter softib_switch_xmit(struct softib_switch *sw, const struct softib_pkt *pkt);
enum softib_counter softib_switch_mad(struct softib_port *in, const struct softib_pkt *pkt);

#endif
