/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory: kernel addresses through the local DMA key or an all-memory region. */
#ifndef SOFTIB_MR_H
#define SOFTIB_MR_H

#include "device.h"

#include <rdma/ib_verbs.h>

#define SOFTIB_DMA_MR_KEY 0x50f70100

struct softib_pd {
	struct ib_pd ibpd;
};

struct softib_mr {
	struct ib_mr ibmr;
};

struct ib_mr *softib_get_dma_mr(struct ib_pd *ibpd, int access);
struct ib_mr *softib_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt_addr,
				 int access, struct ib_udata *udata);
int softib_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);

/* Does the key name memory of this HCA that work requests may use? */
static inline bool softib_lkey_ok(u32 lkey)
{
	return lkey == SOFTIB_LOCAL_DMA_LKEY || lkey == SOFTIB_DMA_MR_KEY;
}

#endif
