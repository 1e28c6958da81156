/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What softib's pure files use of the kernel's header of this name. */
#ifndef SHIM_RDMA_IB_MAD_H
#define SHIM_RDMA_IB_MAD_H

#include <endian.h>

#define be16_to_cpu(x) be16toh(x)
#define cpu_to_be16(x) htobe16(x)

#define IB_LID_PERMISSIVE cpu_to_be16(0xffff)

#endif
