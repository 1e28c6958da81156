/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One-way delays of a flow, exact where both ends share a clock, relative to the least one elsewhere. Pure. */
#ifndef UBENCH_DELAY_H
#define UBENCH_DELAY_H

#include <stddef.h>
#include <stdint.h>

struct result_delay;

#define DELAY_SAMPLES 8192u

/*
 * Arrival minus send time of packets, by two clocks that run at the same
 * speed. All are counted and the extremes kept; for the percentiles every
 * n-th is kept, n doubling whenever the room is full. All zeros to begin.
 */
struct delay {
	int64_t *samples;	/* DELAY_SAMPLES of them, from the first record on */
	size_t n;
	uint64_t stride;	/* every so many-th is kept */
	uint64_t count;
	int64_t min_ns, max_ns;
};

/* Allocates at the first call only; without memory it counts, and delay_result() knows nothing. */
void delay_record(struct delay *d, int64_t transit_ns);

/* Percentiles of what was recorded; is_same_clock: as they are, else above the least one. */
struct result_delay delay_result(const struct delay *d, int is_same_clock);

void delay_free(struct delay *d);

#endif
