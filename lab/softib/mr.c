// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory regions. The device has no DMA device, so ib_core's "DMA addresses" are kernel virtual
 * ones.
 */
#include "mr.h"

#include <linux/slab.h>

/* ib_device_ops.get_dma_mr: a region over all memory. ERR_PTR(-errno). May sleep. */
struct ib_mr *softib_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct softib_mr *mr;

	if (access & ~IB_ACCESS_LOCAL_WRITE)
		return ERR_PTR(-EOPNOTSUPP);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->ibmr.lkey = SOFTIB_DMA_MR_KEY;
	return &mr->ibmr;
}

/*
 * ib_device_ops.reg_user_mr: there is no userspace provider; ib_core wants the operation to exist.
 */
struct ib_mr *softib_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt_addr,
				 int access, struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

/* ib_device_ops.dereg_mr */
int softib_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	kfree(container_of(ibmr, struct softib_mr, ibmr));
	return 0;
}
