/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log-linear histogram of 64-bit values: 16 buckets per power of two, so an error of at most 1/16. Pure. */
#ifndef UBENCH_HIST_H
#define UBENCH_HIST_H

#include <stdint.h>

#define HIST_SUB 16u
#define HIST_BUCKETS (HIST_SUB * 61u)

struct hist {
	uint64_t count;
	uint64_t min, max;	/* exact; min is UINT64_MAX while empty */
	uint64_t buckets[HIST_BUCKETS];
};

void hist_init(struct hist *h);
void hist_record(struct hist *h, uint64_t value);
/* sum += h. */
void hist_add(struct hist *sum, const struct hist *h);
/*
 * Smallest value that fraction (0 to 1) of the records do not exceed, rounded
 * up to its bucket's end, never above the maximum; 0 while empty.
 */
uint64_t hist_percentile(const struct hist *h, double fraction);

#endif
