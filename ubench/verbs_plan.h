/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans the work requests of one send queue: which is signaled, when to post, when to poll. */
#ifndef UBENCH_VERBS_PLAN_H
#define UBENCH_VERBS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define VERBS_PLAN_ENDLESS UINT64_MAX

/*
 * A slot of the send queue is free again only when the completion of its work
 * request (WR), or of a later one, was polled (IBA vol. 1, "Unsignaled
 * Completions"): a queue full of unsignaled WRs stays full for ever. WRs of a
 * queue are numbered from 1 in the order they are posted.
 */
struct verbs_plan {
	uint32_t signal_rate;	/* every signal_rate-th WR is signaled */
	uint32_t post_list;	/* most WRs given to one post call */
	uint32_t depth;		/* slots of the send queue */
	uint64_t count;		/* WRs of the run */
	uint64_t posted;
	uint64_t retired;	/* WRs 1..retired have left the queue */
	uint64_t last_signaled;	/* number of the newest signaled WR, 0: none yet */
};

enum verbs_plan_action {
	VERBS_PLAN_POST,	/* post *n WRs now, each taken with verbs_plan_take() */
	VERBS_PLAN_POLL,	/* a completion is certain to come: poll, or wait for its event */
	VERBS_PLAN_DONE,	/* all posted, all retired */
};

/*
 * Start with an empty queue. count may be VERBS_PLAN_ENDLESS, until
 * verbs_plan_stop(). 0, or -EINVAL when signal_rate, post_list or depth is 0.
 * Any other combination is valid: where signal_rate exceeds depth, the WR
 * that fills the queue is signaled.
 */
int verbs_plan_init(struct verbs_plan *p, uint32_t signal_rate, uint32_t post_list,
		    uint32_t depth, uint64_t count);

/* What to do next; *n is set for VERBS_PLAN_POST only, to 1..post_list. No side effect. */
enum verbs_plan_action verbs_plan_next(const struct verbs_plan *p, uint32_t *n);

/*
 * Number the next WR, as p->posted, and tell whether it is signaled. To undo
 * what a failed post left out, restore a copy of *p and take the rest again.
 */
bool verbs_plan_take(struct verbs_plan *p);

/*
 * The completion of WR number wr was polled: it and all before it are retired.
 * Return how many WRs that freed, or -EINVAL when no such WR was posted.
 */
int verbs_plan_retire(struct verbs_plan *p, uint64_t wr);

/* End the run early: at most one more WR is planned, so that the last one is signaled. */
void verbs_plan_stop(struct verbs_plan *p);

#endif
