/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directed-route subnet management packet, as IBA volume 1, table 111, lays it out. */
#ifndef SHIM_RDMA_IB_SMI_H
#define SHIM_RDMA_IB_SMI_H

#include <rdma/ib_mad.h>

#include <stdint.h>

#define IB_SMP_MAX_PATH_HOPS 64
#define IB_SMP_DIRECTION cpu_to_be16(0x8000)

struct ib_smp {
	uint8_t header[4];
	uint16_t status;
	uint8_t hop_ptr;
	uint8_t hop_cnt;
	uint8_t ids[24];
	uint16_t dr_slid;
	uint16_t dr_dlid;
	uint8_t reserved[28];
	uint8_t data[64];
	uint8_t initial_path[IB_SMP_MAX_PATH_HOPS];
	uint8_t return_path[IB_SMP_MAX_PATH_HOPS];
};

static inline int ib_get_smp_direction(const struct ib_smp *smp)
{
	return (smp->status & IB_SMP_DIRECTION) == IB_SMP_DIRECTION;
}

#endif
