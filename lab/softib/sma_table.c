// SPDX-License-Identifier: GPL-2.0-only
/* Tables a port has: P_Keys, GUIDs, and those of virtual lanes. */
#include "sma.h"

#include "mad.h"
#include "port.h"

#include <rdma/ib_mad.h>

#define SOFTIB_PKEYS_PER_BLOCK 32
#define SOFTIB_GUIDS_PER_BLOCK 8

__be16 softib_sma_pkey_table(struct softib_port *port, struct ib_smp *smp)
{
	__be16 *table = (__be16 *)smp->data;
	bool changed = false;
	unsigned long flags;
	int i;

	BUILD_BUG_ON(SOFTIB_PKEYS != SOFTIB_PKEYS_PER_BLOCK);
	if (be32_to_cpu(smp->attr_mod) & 0xffff)
		return SOFTIB_MAD_BAD_VALUE;

	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < SOFTIB_PKEYS; i++) {
		if (softib_smp_is_set(smp) && port->pkeys[i] != be16_to_cpu(table[i])) {
			WRITE_ONCE(port->pkeys[i], be16_to_cpu(table[i]));
			changed = true;
		}
		table[i] = cpu_to_be16(port->pkeys[i]);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (changed)
		softib_port_event(port, IB_EVENT_PKEY_CHANGE);
	return 0;
}

/* The first GUID is the hardware's and stays (IBA 14.2.5.5). */
__be16 softib_sma_guid_info(struct softib_port *port, struct ib_smp *smp)
{
	__be64 *table = (__be64 *)smp->data;
	bool changed = false;
	unsigned long flags;
	int i;

	BUILD_BUG_ON(SOFTIB_GUIDS != SOFTIB_GUIDS_PER_BLOCK);
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;

	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < SOFTIB_GUIDS; i++) {
		if (softib_smp_is_set(smp) && i && port->guids[i] != table[i]) {
			port->guids[i] = table[i];
			changed = true;
		}
		table[i] = port->guids[i];
	}
	spin_unlock_irqrestore(&port->lock, flags);
	if (changed)
		softib_port_event(port, IB_EVENT_GID_CHANGE);
	return 0;
}

/* Gets or sets @len octets of a table that softib keeps without acting on it. */
static __be16 softib_inert_table(struct softib_port *port, struct ib_smp *smp, u8 *table,
				 size_t len)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (softib_smp_is_set(smp))
		memcpy(table, smp->data, len);
	memset(smp->data, 0, sizeof(smp->data));
	memcpy(smp->data, table, len);
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

__be16 softib_sma_sl_to_vl(struct softib_port *port, struct ib_smp *smp)
{
	return softib_inert_table(port, smp, port->sl_to_vl, SOFTIB_SLTOVL_OCTETS);
}

/* The modifier's upper half is a block number from 1 (IBA 14.2.5.9). */
__be16 softib_sma_vl_arbitration(struct softib_port *port, struct ib_smp *smp)
{
	u32 block = be32_to_cpu(smp->attr_mod) >> 16;

	if (block < 1 || block > SOFTIB_VLARB_BLOCKS)
		return SOFTIB_MAD_BAD_VALUE;
	return softib_inert_table(port, smp, port->vl_arb[block - 1], SOFTIB_VLARB_OCTETS);
}
