/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands planned work requests to a queue pair, by ibv_post_send() or by ibv_wr_*(). */
#ifndef UBENCH_VERBS_POST_H
#define UBENCH_VERBS_POST_H

#include <stdint.h>

struct verbs_sender;

/* wr_id: flow in the upper 16 bits, the WR's number in the plan below. */
#define VERBS_WR_BITS 48
static inline uint64_t verbs_wr_id(uint32_t flow, uint64_t wr)
{
	return (uint64_t)flow << VERBS_WR_BITS | wr;
}

static inline uint32_t verbs_wr_flow(uint64_t wr_id)
{
	return (uint32_t)(wr_id >> VERBS_WR_BITS);
}

static inline uint64_t verbs_wr_number(uint64_t wr_id)
{
	return wr_id & ((1ULL << VERBS_WR_BITS) - 1);
}

/*
 * Post the next n WRs of a flow with one call; n is what verbs_plan_next()
 * gave. 0 or -errno; then the plan holds what was posted, and no more.
 */
int verbs_post(struct verbs_sender *s, uint32_t flow, uint32_t n);

#endif
