/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between the kernel releases softib builds against (6.1 and 6.12). */
#ifndef SOFTIB_COMPAT_H
#define SOFTIB_COMPAT_H

/* The last argument of ib_device_ops.create_cq became the attribute bundle in 6.11. */
#if SOFTIB_KERNEL >= 6011
#define SOFTIB_CREATE_CQ_CONTEXT struct uverbs_attr_bundle
#else
#define SOFTIB_CREATE_CQ_CONTEXT struct ib_udata
#endif

#endif
