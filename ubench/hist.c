// SPDX-License-Identifier: GPL-2.0-or-later
/* Log-linear histogram of 64-bit values: 16 buckets per power of two, so an error of at most 1/16. Pure. */
#include "hist.h"

#include <string.h>

void hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

/* Values below 16 have a bucket each; above, the four bits after the leading one choose it. */
static unsigned int bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < HIST_SUB)
		return (unsigned int)value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - 4;
	return (shift + 1) * HIST_SUB + (unsigned int)((value >> shift) - HIST_SUB);
}

/* Largest value of a bucket. */
static uint64_t bucket_end(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < HIST_SUB)
		return bucket;
	shift = bucket / HIST_SUB - 1;
	return (((uint64_t)(HIST_SUB + bucket % HIST_SUB) + 1) << shift) - 1;
}

void hist_record(struct hist *h, uint64_t value)
{
	h->count++;
	h->buckets[bucket_of(value)]++;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

void hist_add(struct hist *sum, const struct hist *h)
{
	unsigned int i;

	sum->count += h->count;
	for (i = 0; i < HIST_BUCKETS; i++)
		sum->buckets[i] += h->buckets[i];
	if (h->min < sum->min)
		sum->min = h->min;
	if (h->max > sum->max)
		sum->max = h->max;
}

uint64_t hist_percentile(const struct hist *h, double fraction)
{
	uint64_t rank = (uint64_t)(fraction * (double)h->count + 0.5), seen = 0;
	unsigned int i;

	if (!h->count)
		return 0;
	if (!rank)
		rank = 1;
	for (i = 0; i < HIST_BUCKETS; i++) {
		seen += h->buckets[i];
		if (seen >= rank)
			return bucket_end(i) < h->max ? bucket_end(i) : h->max;
	}
	return h->max;
}
