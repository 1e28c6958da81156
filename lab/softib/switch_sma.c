// SPDX-License-Identifier: GPL-2.0-only
/* A switch's SwitchInfo and forwarding tables (IBA volume 1, sections 14.2.5.4, .10 and .12). */
#include "sma.h"

#include "mad.h"
#include "port.h"
#include "switch.h"

#include <rdma/ib_mad.h>

#define SOFTIB_LFT_PER_BLOCK 64
#define SOFTIB_MFT_PER_BLOCK 32
#define SOFTIB_MFT_PORTS 16
#define SOFTIB_STATE_CHANGE BIT(2)

/* SwitchInfo on the wire */
struct softib_switch_info {
	__be16 linear_cap;
	__be16 random_cap;
	__be16 mcast_cap;
	__be16 linear_top;
	u8 default_port;
	u8 default_mcast_primary_port;
	u8 default_mcast_other_port;
	u8 life_time_changed; /* 5 bits, 1, 2 */
	__be16 lids_per_port;
	__be16 enforcement_cap;
	u8 flags;
	u8 reserved;
	__be16 mcast_top;
};

/* A Set of PortStateChange clears it; the rest of SwitchInfo does not change (no random table). */
static __be16 softib_take_switch_info(struct softib_switch *sw,
				      const struct softib_switch_info *info)
{
	u16 top = be16_to_cpu(info->linear_top);

	if (top >= SOFTIB_LFT_ENTRIES)
		return SOFTIB_MAD_BAD_VALUE;
	WRITE_ONCE(sw->lft_top, top);
	WRITE_ONCE(sw->life_time, info->life_time_changed >> 3);
	if (info->life_time_changed & SOFTIB_STATE_CHANGE)
		WRITE_ONCE(sw->changed, false);
	return 0;
}

__be16 softib_sma_switch_info(struct softib_switch *sw, struct ib_smp *smp)
{
	struct softib_switch_info *info = (struct softib_switch_info *)smp->data;
	__be16 status = 0;

	BUILD_BUG_ON(sizeof(*info) != 20);
	if (smp->attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	if (softib_smp_is_set(smp))
		status = softib_take_switch_info(sw, info);
	memset(smp->data, 0, sizeof(smp->data));
	info->linear_cap = cpu_to_be16(SOFTIB_LFT_ENTRIES);
	info->mcast_cap = cpu_to_be16(SOFTIB_MFT_ENTRIES);
	info->linear_top = cpu_to_be16(READ_ONCE(sw->lft_top));
	info->life_time_changed = READ_ONCE(sw->life_time) << 3;
	if (READ_ONCE(sw->changed))
		info->life_time_changed |= SOFTIB_STATE_CHANGE;
	return status;
}

/* The modifier is a number of a block of 64 LIDs. */
__be16 softib_sma_linear_table(struct softib_switch *sw, struct ib_smp *smp)
{
	u32 i, block = be32_to_cpu(smp->attr_mod);
	u8 *lft = sw->lft + block * SOFTIB_LFT_PER_BLOCK;

	if (block >= SOFTIB_LFT_ENTRIES / SOFTIB_LFT_PER_BLOCK)
		return SOFTIB_MAD_BAD_VALUE;
	for (i = 0; i < SOFTIB_LFT_PER_BLOCK; i++) {
		if (softib_smp_is_set(smp))
			WRITE_ONCE(lft[i], smp->data[i]);
		else
			smp->data[i] = READ_ONCE(lft[i]);
	}
	return 0;
}

/* The modifier has a block of 32 multicast LIDs below and a position, of 16 ports, on top. */
__be16 softib_sma_mcast_table(struct softib_switch *sw, struct ib_smp *smp)
{
	u32 i, modifier = be32_to_cpu(smp->attr_mod);
	u32 block = modifier & 0x1ff, shift = (modifier >> 28) * SOFTIB_MFT_PORTS;
	__be16 *masks = (__be16 *)smp->data;
	u64 *mft = sw->mft + block * SOFTIB_MFT_PER_BLOCK;

	if (block >= SOFTIB_MFT_ENTRIES / SOFTIB_MFT_PER_BLOCK || shift > sw->num_ports)
		return SOFTIB_MAD_BAD_VALUE;
	for (i = 0; i < SOFTIB_MFT_PER_BLOCK; i++) {
		u64 ports = READ_ONCE(mft[i]);

		if (softib_smp_is_set(smp)) {
			ports &= ~((u64)U16_MAX << shift);
			ports |= (u64)be16_to_cpu(masks[i]) << shift;
			WRITE_ONCE(mft[i], ports);
		} else {
			masks[i] = cpu_to_be16(ports >> shift & U16_MAX);
		}
	}
	return 0;
}
