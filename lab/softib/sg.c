// SPDX-License-Identifier: GPL-2.0-only
/* Copies between scatter/gather lists of kernel virtual addresses. */
#include "sg.h"

#include <linux/minmax.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>

static void *softib_sge_address(const struct ib_sge *sge, u32 offset)
{
	return (void *)(uintptr_t)sge->addr + offset;
}

/**
 * softib_sg_write() - write octets into a scatter list
 * @to:        the list, whose keys were checked
 * @to_num:    its entries
 * @to_offset: octets to skip in it
 * @from:      what to write
 * @len:       octets; the list has room for them behind @to_offset
 */
void softib_sg_write(const struct ib_sge *to, u32 to_num, u32 to_offset, const void *from, u32 len)
{
	for (; to_num && len; to++, to_num--) {
		u32 part;

		if (to_offset >= to->length) {
			to_offset -= to->length;
			continue;
		}
		part = min(len, to->length - to_offset);
		memcpy(softib_sge_address(to, to_offset), from, part);
		from += part;
		len -= part;
		to_offset = 0;
	}
}

/**
 * softib_sg_copy() - copy all of a gather list into a scatter list
 * @to:        the scatter list
 * @to_num:    its entries
 * @to_offset: octets to skip in it; there is room for all of @from behind them
 * @from:      the gather list
 * @from_num:  its entries
 *
 * The keys of both were checked. Any context.
 */
void softib_sg_copy(const struct ib_sge *to, u32 to_num, u32 to_offset, const struct ib_sge *from,
		    u32 from_num)
{
	for (; from_num; from++, from_num--) {
		softib_sg_write(to, to_num, to_offset, softib_sge_address(from, 0), from->length);
		to_offset += from->length;
	}
}
