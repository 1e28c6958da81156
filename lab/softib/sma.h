/* SPDX-License-Identifier: GPL-2.0-only */
/* The subnet management agent's attributes, one function for each; all answer in place. */
#ifndef SOFTIB_SMA_H
#define SOFTIB_SMA_H

#include <linux/types.h>
#include <rdma/ib_smi.h>

struct softib_port;
struct softib_switch;

#define SOFTIB_SMA_CLASS_VERSION 1

static inline bool softib_smp_is_set(const struct ib_smp *smp)
{
	return smp->method == IB_MGMT_METHOD_SET;
}

/*
 * Each takes the port an attribute is about, or the switch, and a Get or Set; for a Get the data is
 * zero. @ingress is the number of the port that the question came in by. Any context, no port lock
 * held. Return: the status of the answer, 0 or SOFTIB_MAD_BAD_*.
 */
__be16 softib_sma_port_info(struct softib_port *port, u32 ingress, struct ib_smp *smp);
__be16 softib_sma_pkey_table(struct softib_port *port, struct ib_smp *smp);
__be16 softib_sma_guid_info(struct softib_port *port, struct ib_smp *smp);
__be16 softib_sma_sl_to_vl(struct softib_port *port, struct ib_smp *smp);
__be16 softib_sma_vl_arbitration(struct softib_port *port, struct ib_smp *smp);
__be16 softib_sma_switch_info(struct softib_switch *sw, struct ib_smp *smp);
__be16 softib_sma_linear_table(struct softib_switch *sw, struct ib_smp *smp);
__be16 softib_sma_mcast_table(struct softib_switch *sw, struct ib_smp *smp);

#endif
