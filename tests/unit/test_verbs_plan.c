// SPDX-License-Identifier: GPL-2.0-or-later
/* The WR planner against a strict model of a send queue, over every small N, L, depth and count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../ubench/verbs_plan.c"

/* A send queue that completes WRs in order, frees slots only by a polled completion, and knows no mercy. */
struct queue {
	uint32_t depth;
	uint64_t posted, freed;
	uint64_t cqes[64];	/* signaled WRs not yet polled, oldest first */
	uint32_t n_cqes;
	uint64_t n_signaled;
	uint64_t last_signaled;
	uint32_t longest_list;
};

static void queue_post(struct queue *q, bool signaled)
{
	assert_true(q->posted - q->freed < q->depth);
	q->posted++;
	if (!signaled)
		return;
	assert_true(q->n_cqes < 64);
	q->cqes[q->n_cqes++] = q->posted;
	q->n_signaled++;
	q->last_signaled = q->posted;
}

static uint64_t queue_poll(struct queue *q)
{
	uint64_t wr = q->cqes[0];
	uint32_t i;

	assert_true(q->n_cqes > 0);
	for (i = 1; i < q->n_cqes; i++)
		q->cqes[i - 1] = q->cqes[i];
	q->n_cqes--;
	q->freed = wr;
	return wr;
}

/* Run a plan to its end, one to three completions a poll; it is stopped once stop_after WRs are posted. */
static void run(struct verbs_plan *p, struct queue *q, unsigned int *seed, uint64_t stop_after)
{
	uint64_t steps = 0;
	uint32_t n, i;

	for (;;) {
		enum verbs_plan_action action;

		assert_true(steps++ < 100000);
		if (p->posted >= stop_after)
			verbs_plan_stop(p);
		action = verbs_plan_next(p, &n);
		if (action == VERBS_PLAN_DONE)
			break;
		if (action == VERBS_PLAN_POLL) {
			/* Without a completion on its way this poll would last for ever. */
			assert_true(q->n_cqes > 0);
			for (i = 1 + (uint32_t)(rand_r(seed) % 3); i && q->n_cqes; i--)
				assert_true(verbs_plan_retire(p, queue_poll(q)) > 0);
			continue;
		}
		assert_true(n >= 1 && n <= p->post_list);
		if (n > q->longest_list)
			q->longest_list = n;
		for (i = 0; i < n; i++)
			queue_post(q, verbs_plan_take(p));
	}
}

static void check_end(const struct verbs_plan *p, const struct queue *q, uint64_t at_least)
{
	assert_true(q->posted == p->posted);
	assert_true(q->posted >= at_least);
	assert_true(q->last_signaled == q->posted);
	assert_int_equal(q->n_cqes, 0);
	assert_true(p->retired == p->posted);
}

static void for_all(uint64_t max_count, void (*check)(struct verbs_plan *p, struct queue *q,
						      uint64_t count, unsigned int *seed))
{
	uint32_t rate, list, depth;
	unsigned int seed = 1;
	uint64_t count;

	for (rate = 1; rate <= 9; rate++)
		for (list = 1; list <= 9; list++)
			for (depth = 1; depth <= 9; depth++)
				for (count = 0; count <= max_count; count++) {
					struct queue q = { .depth = depth };
					struct verbs_plan p;

					assert_int_equal(verbs_plan_init(&p, rate, list, depth, count), 0);
					check(&p, &q, count, &seed);
				}
}

static void counted(struct verbs_plan *p, struct queue *q, uint64_t count, unsigned int *seed)
{
	uint32_t every = p->signal_rate < p->depth ? p->signal_rate : p->depth;

	run(p, q, seed, UINT64_MAX);
	check_end(p, q, count);
	assert_true(q->posted == count);
	if (p->signal_rate <= p->depth)
		assert_true(q->n_signaled == (count + every - 1) / every);
	else
		assert_true(q->n_signaled >= (count + p->depth - 1) / p->depth);
}

static void stopped(struct verbs_plan *p, struct queue *q, uint64_t count, unsigned int *seed)
{
	p->count = VERBS_PLAN_ENDLESS;
	run(p, q, seed, count);
	check_end(p, q, count);
	/* One list may pass the mark, then one WR to signal the end. */
	assert_true(q->posted <= count + p->post_list);
}

static void test_every_combination_ends_signaled_and_never_overflows(void **state)
{
	(void)state;
	for_all(24, counted);
}

static void test_stopped_run_ends_with_a_signaled_wr(void **state)
{
	(void)state;
	for_all(24, stopped);
}

static void test_large_random_combinations_keep_one_completion_per_rate(void **state)
{
	unsigned int seed = 7;
	int i;

	(void)state;
	for (i = 0; i < 400; i++) {
		uint32_t depth = 1 + (uint32_t)(rand_r(&seed) % 60);
		uint32_t rate = 1 + (uint32_t)(rand_r(&seed) % (int)depth);
		uint32_t list = 1 + (uint32_t)(rand_r(&seed) % 80);
		uint64_t count = (uint64_t)(rand_r(&seed) % 5000);
		struct queue q = { .depth = depth };
		struct verbs_plan p;

		verbs_plan_init(&p, rate, list, depth, count);
		run(&p, &q, &seed, UINT64_MAX);
		check_end(&p, &q, count);
		assert_true(q.n_signaled == (count + rate - 1) / rate);
	}
}

static void test_lists_are_full_when_rate_divides_list(void **state)
{
	struct queue q = { .depth = 16 };
	struct verbs_plan p;
	uint32_t n;

	(void)state;
	verbs_plan_init(&p, 4, 8, 16, 64);
	while (verbs_plan_next(&p, &n) != VERBS_PLAN_DONE) {
		if (verbs_plan_next(&p, &n) == VERBS_PLAN_POLL) {
			verbs_plan_retire(&p, queue_poll(&q));
			continue;
		}
		assert_int_equal(n, 8);
		while (n--)
			queue_post(&q, verbs_plan_take(&p));
	}
	check_end(&p, &q, 64);
}

static void test_zero_knobs_are_refused(void **state)
{
	struct verbs_plan p;

	(void)state;
	assert_int_equal(verbs_plan_init(&p, 0, 1, 1, 1), -EINVAL);
	assert_int_equal(verbs_plan_init(&p, 1, 0, 1, 1), -EINVAL);
	assert_int_equal(verbs_plan_init(&p, 1, 1, 0, 1), -EINVAL);
}

static void test_completion_of_a_wr_never_posted_is_refused(void **state)
{
	struct verbs_plan p;

	(void)state;
	verbs_plan_init(&p, 1, 1, 4, 4);
	verbs_plan_take(&p);
	assert_int_equal(verbs_plan_retire(&p, 2), -EINVAL);
	assert_int_equal(verbs_plan_retire(&p, 1), 1);
	assert_int_equal(verbs_plan_retire(&p, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_combination_ends_signaled_and_never_overflows),
		cmocka_unit_test(test_stopped_run_ends_with_a_signaled_wr),
		cmocka_unit_test(test_large_random_combinations_keep_one_completion_per_rate),
		cmocka_unit_test(test_lists_are_full_when_rate_divides_list),
		cmocka_unit_test(test_zero_knobs_are_refused),
		cmocka_unit_test(test_completion_of_a_wr_never_posted_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
