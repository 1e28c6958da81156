/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives kernel headers under test the types they take from the kernel. */

#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include_next <linux/types.h> /* __u32 and the like, for the C library's own headers */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#endif
