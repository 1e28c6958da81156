// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans the work requests of one send queue, free of side effects outside its own state. */
#include "verbs_plan.h"

#include <errno.h>

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int verbs_plan_init(struct verbs_plan *p, uint32_t signal_rate, uint32_t post_list,
		    uint32_t depth, uint64_t count)
{
	if (!signal_rate || !post_list || !depth)
		return -EINVAL;
	*p = (struct verbs_plan){
		.signal_rate = signal_rate,
		.post_list = post_list,
		.depth = depth,
		.count = count,
	};
	return 0;
}

enum verbs_plan_action verbs_plan_next(const struct verbs_plan *p, uint32_t *n)
{
	uint64_t left = p->count - p->posted;
	uint64_t free_slots = p->depth - (p->posted - p->retired);
	uint64_t want = min_u64(min_u64(p->post_list, p->depth), left);
	bool completion_is_due = p->last_signaled > p->retired;

	if (!left)
		return completion_is_due ? VERBS_PLAN_POLL : VERBS_PLAN_DONE;
	/* Wait for room for a whole list, but only while something is sure to make room. */
	if (free_slots < want && completion_is_due)
		return VERBS_PLAN_POLL;
	*n = (uint32_t)min_u64(free_slots, want);
	return VERBS_PLAN_POST;
}

bool verbs_plan_take(struct verbs_plan *p)
{
	bool fills_queue = ++p->posted - p->retired == p->depth;
	bool nothing_is_due = p->last_signaled <= p->retired;

	if (p->posted - p->last_signaled < p->signal_rate && p->posted != p->count &&
	    !(fills_queue && nothing_is_due))
		return false;
	p->last_signaled = p->posted;
	return true;
}

int verbs_plan_retire(struct verbs_plan *p, uint64_t wr)
{
	int n;

	if (wr > p->posted)
		return -EINVAL;
	if (wr <= p->retired)
		return 0;
	n = (int)(wr - p->retired);
	p->retired = wr;
	return n;
}

void verbs_plan_stop(struct verbs_plan *p)
{
	p->count = min_u64(p->count, p->posted + (p->posted > p->last_signaled));
}
