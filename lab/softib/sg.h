/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies between scatter/gather lists. */
#ifndef SOFTIB_SG_H
#define SOFTIB_SG_H

#include <linux/types.h>

struct ib_sge;

void softib_sg_write(const struct ib_sge *to, u32 to_num, u32 to_offset, const void *from, u32 len);
void softib_sg_copy(const struct ib_sge *to, u32 to_num, u32 to_offset, const struct ib_sge *from,
		    u32 from_num);

#endif
