/* SPDX-License-Identifier: GPL-2.0-only */
/* Management datagrams the HCA answers itself. */
#ifndef SOFTIB_MAD_H
#define SOFTIB_MAD_H

#include <linux/types.h>

struct ib_device;
struct ib_grh;
struct ib_mad;
struct ib_pma_mad;
struct ib_smp;
struct ib_wc;
struct softib_port;

/* MADHeader:Status (IBA 13.4.7) */
#define SOFTIB_MAD_BAD_VERSION cpu_to_be16(1 << 2)
#define SOFTIB_MAD_BAD_METHOD cpu_to_be16(2 << 2)
#define SOFTIB_MAD_BAD_ATTRIBUTE cpu_to_be16(3 << 2)
#define SOFTIB_MAD_BAD_VALUE cpu_to_be16(7 << 2)

int softib_process_mad(struct ib_device *ibdev, int flags, u32 port_num, const struct ib_wc *in_wc,
		       const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index);

int softib_mad_answer(struct softib_port *port, struct ib_mad *mad);
int softib_sma(struct softib_port *port, struct ib_smp *smp);
int softib_pma(struct softib_port *port, struct ib_pma_mad *mad);

#endif
