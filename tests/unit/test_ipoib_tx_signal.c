// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit and property tests of the IPoIB series' ring arithmetic and signaling decision, on the header it ships. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ipoib_tx_signal.h>

#define MAX_SIZE 256

/*
 * A model of the driver around the header: one TX ring, a send queue that completes in order, the flush timer.
 * The device may run ahead of the poll and executes at any time; CQEs exist for signaled sends only.
 */
struct model {
	struct ipoib_tx_signal s;
	unsigned int size, head, tail, executed;
	unsigned int other; /* connected-mode sends on the same CQ */
	bool signaled[MAX_SIZE], filled[MAX_SIZE], flush[MAX_SIZE];
	bool stopped, armed, open;
	unsigned int cqes[MAX_SIZE + 1], cq_head, cq_tail;
	unsigned long posts, flushes, freed;
};

static unsigned int outstanding(const struct model *m)
{
	return m->head - m->tail + m->other;
}

static void check_invariants(const struct model *m)
{
	assert_in_range(m->head - m->tail, 0, m->size);
	assert_in_range(outstanding(m), 0, m->size);
	assert_true(m->s.run < m->s.rate || m->s.rate == 1 || m->head == m->tail || m->armed);
	assert_int_equal(m->s.signaled + m->s.unsignaled, m->posts);
	if (m->stopped && m->open && !m->other) {
		bool woken_later = m->cq_head != m->cq_tail;

		for (unsigned int i = m->tail; i != m->head && !woken_later; i++)
			woken_later = m->signaled[i % m->size];
		assert_true(woken_later);
	}
	if (m->s.run && m->head != m->tail)
		assert_true(m->armed);
}

static void put(struct model *m, bool signaled, bool flush)
{
	unsigned int slot = m->head % m->size;

	assert_false(m->filled[slot]);
	m->filled[slot] = true;
	m->signaled[slot] = signaled;
	m->flush[slot] = flush;
	m->head++;
	m->posts++;
	ipoib_tx_signal_posted(&m->s, signaled);
}

static void model_arm(struct model *m)
{
	m->armed = true;
	m->s.seen = m->s.signaled;
}

/* A packet of the stack; fails in the device if @fails. */
static void model_send(struct model *m, bool pinned, bool lone, bool more, bool fails)
{
	bool signaled;

	if (m->stopped)
		return;
	if (ipoib_tx_takes_last_slot(outstanding(m), m->size))
		m->stopped = true;
	signaled = ipoib_tx_must_signal(&m->s, m->stopped, pinned, lone, more);
	if (fails) {
		m->stopped = false;
		return;
	}
	put(m, signaled, false);
	if (!signaled && !m->armed)
		model_arm(m);
}

static void model_execute(struct model *m, unsigned int n)
{
	while (n-- && m->executed != m->head) {
		unsigned int slot = m->executed++ % m->size;

		if (m->signaled[slot])
			m->cqes[m->cq_head++ % (MAX_SIZE + 1)] = slot;
		assert_in_range(m->cq_head - m->cq_tail, 0, m->size);
	}
}

static void retire(struct model *m, unsigned int n)
{
	while (n--) {
		unsigned int slot = m->tail++ % m->size;

		assert_true(m->filled[slot]);
		assert_true((int)(m->executed - m->tail) >= 0);
		m->filled[slot] = false;
		m->freed++;
	}
}

static void model_poll(struct model *m, unsigned int n)
{
	while (n-- && m->cq_tail != m->cq_head) {
		unsigned int slot = m->cqes[m->cq_tail++ % (MAX_SIZE + 1)];
		unsigned int count = ipoib_tx_retired_by(m->head, m->tail, slot, m->size);

		assert_int_not_equal(count, 0);
		retire(m, count);
		if (m->stopped && ipoib_tx_may_wake(outstanding(m), m->size))
			m->stopped = false;
	}
}

static bool model_flush_post(struct model *m)
{
	if (outstanding(m) >= m->size)
		return false;
	if (ipoib_tx_takes_last_slot(outstanding(m), m->size))
		m->stopped = true;
	put(m, true, true);
	m->flushes++;
	return true;
}

static void model_timer(struct model *m)
{
	enum ipoib_tx_flush_action action = ipoib_tx_flush_action(&m->s, m->head - m->tail);

	if (action == IPOIB_TX_FLUSH_SEND && model_flush_post(m))
		action = IPOIB_TX_FLUSH_IDLE;
	m->armed = action != IPOIB_TX_FLUSH_IDLE;
	if (m->armed)
		m->s.seen = m->s.signaled;
}

static void model_open(struct model *m, unsigned int rate)
{
	m->open = true;
	m->s.run = 0;
	m->s.force = true;
	m->s.rate = rate;
	m->stopped = false;
	m->armed = false;
}

/* ifdown: all further sends are signaled, then a marker behind the run, then everything completes. */
static void model_stop(struct model *m)
{
	m->open = false;
	m->stopped = true;
	m->s.rate = 1;
	m->armed = false;
	for (int tries = 0; m->head != m->tail; tries++) {
		assert_in_range(tries, 0, 10);
		if (m->s.run && !model_flush_post(m))
			m->other = 0;
		model_execute(m, m->size);
		model_poll(m, m->size);
	}
	m->other = 0;
}

static void setup_model(struct model *m, unsigned int size, unsigned int start)
{
	memset(m, 0, sizeof(*m));
	m->size = size;
	m->head = m->tail = m->executed = start;
	m->s.usecs = IPOIB_TX_SIGNAL_USECS;
	model_open(m, ipoib_tx_rate_max(size));
}

static unsigned int pick(unsigned int *seed, unsigned int n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void random_step(struct model *m, unsigned int *seed)
{
	switch (pick(seed, 16)) {
	case 0:
		model_timer(m);
		break;
	case 1:
		m->s.rate = 1 + pick(seed, ipoib_tx_rate_max(m->size));
		if (m->s.run) {
			m->s.seen = m->s.signaled;
			model_timer(m);
		}
		break;
	case 2:
		m->s.usecs = pick(seed, 3) * 1000;
		break;
	case 3:
		if (outstanding(m) < m->size - 1)
			m->other++;
		break;
	case 4:
		if (m->other)
			m->other--;
		if (m->stopped && ipoib_tx_may_wake(outstanding(m), m->size))
			m->stopped = false;
		break;
	case 5:
		if (pick(seed, 64) == 0) {
			model_stop(m);
			assert_int_equal(m->head, m->tail);
			model_open(m, 1 + pick(seed, ipoib_tx_rate_max(m->size)));
		}
		break;
	case 6:
	case 7:
		model_execute(m, pick(seed, m->size));
		break;
	case 8:
	case 9:
		model_poll(m, 1 + pick(seed, 4));
		break;
	default:
		model_send(m, pick(seed, 20) == 0, pick(seed, 50) == 0, pick(seed, 2), pick(seed, 30) == 0);
	}
}

static void run_random(unsigned int size, unsigned int start, unsigned int seed)
{
	struct model m;

	setup_model(&m, size, start);
	for (int i = 0; i < 20000; i++) {
		random_step(&m, &seed);
		check_invariants(&m);
	}
	/* the traffic rests: two looks of the timer and the device's work later nothing is held */
	for (int i = 0; i < 3; i++) {
		m.other = 0;
		model_execute(&m, size);
		model_poll(&m, size);
		model_timer(&m);
	}
	model_execute(&m, size);
	model_poll(&m, size);
	assert_int_equal(m.head, m.tail);
	assert_int_equal(m.freed, m.posts);
	assert_false(m.stopped);
}

static void test_any_sequence_keeps_the_invariants(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 40; seed++) {
		run_random(128, 0, seed);
		run_random(256, 0xffffff00u + seed, seed * 7919);
		run_random(8, 0xfffffffcu, seed * 104729);
	}
}

static void test_cqes_are_at_least_posts_by_rate(void **state)
{
	(void)state;
	for (unsigned int rate = 1; rate <= 32; rate++) {
		struct model m;

		setup_model(&m, 128, 0);
		m.s.rate = rate;
		m.s.force = false;
		for (int i = 0; i < 32 * 100; i++) {
			model_send(&m, false, false, false, false);
			model_execute(&m, 1);
			model_poll(&m, 1);
		}
		assert_int_equal(m.s.signaled, 3200 / rate);
	}
}

static void test_rate_one_signals_everything(void **state)
{
	const struct ipoib_tx_signal s = { .rate = 1, .usecs = IPOIB_TX_SIGNAL_USECS };

	(void)state;
	for (int i = 0; i < 16; i++)
		assert_true(ipoib_tx_must_signal(&s, i & 1, i & 2, i & 4, i & 8));
}

static void test_send_that_stops_the_queue_is_signaled(void **state)
{
	const struct ipoib_tx_signal s = { .rate = 32, .usecs = IPOIB_TX_SIGNAL_USECS };

	(void)state;
	assert_false(ipoib_tx_must_signal(&s, false, false, false, false));
	assert_true(ipoib_tx_must_signal(&s, true, false, false, false));
	assert_false(ipoib_tx_takes_last_slot(126, 128));
	assert_true(ipoib_tx_takes_last_slot(127, 128));
	assert_true(ipoib_tx_takes_last_slot(128, 128));
	assert_true(ipoib_tx_takes_last_slot(200, 128));
}

static void test_zero_usecs_signals_the_end_of_each_burst(void **state)
{
	const struct ipoib_tx_signal s = { .rate = 32, .usecs = 0 };

	(void)state;
	assert_false(ipoib_tx_must_signal(&s, false, false, false, true));
	assert_true(ipoib_tx_must_signal(&s, false, false, false, false));
}

static void test_failed_post_leaves_the_next_one_signaled(void **state)
{
	struct model m;

	(void)state;
	setup_model(&m, 128, 0);
	assert_true(m.s.force);
	model_send(&m, false, false, false, true);
	model_send(&m, false, false, false, false);
	assert_int_equal(m.s.signaled, 1);
	model_send(&m, false, false, false, false);
	assert_int_equal(m.s.unsignaled, 1);
}

static void test_completion_retires_all_before_it(void **state)
{
	(void)state;
	assert_int_equal(ipoib_tx_retired_by(10, 0, 9, 128), 10);
	assert_int_equal(ipoib_tx_retired_by(10, 0, 0, 128), 1);
	assert_int_equal(ipoib_tx_retired_by(128, 0, 127, 128), 128);
	assert_int_equal(ipoib_tx_retired_by(130, 126, 1, 128), 4);
	assert_int_equal(ipoib_tx_retired_by(3, 0xfffffffeu, 0, 128), 3);
}

static void test_stray_completion_retires_nothing(void **state)
{
	(void)state;
	assert_int_equal(ipoib_tx_retired_by(10, 10, 9, 128), 0);
	assert_int_equal(ipoib_tx_retired_by(10, 0, 10, 128), 0);
	assert_int_equal(ipoib_tx_retired_by(10, 5, 4, 128), 0);
}

static void test_address_handle_is_pending_until_its_send_is_retired(void **state)
{
	(void)state;
	/* the send with index 7 returned mark 8 */
	assert_true(ipoib_tx_mark_pending(9, 6, 8));
	assert_true(ipoib_tx_mark_pending(9, 7, 8));
	assert_false(ipoib_tx_mark_pending(9, 8, 8));
	assert_false(ipoib_tx_mark_pending(9, 9, 8));
	/* never sent, nothing outstanding, and across the wrap */
	assert_false(ipoib_tx_mark_pending(5, 5, 0));
	assert_true(ipoib_tx_mark_pending(2, 0xfffffffeu, 0));
	assert_false(ipoib_tx_mark_pending(2, 0xfffffffeu, 0xfffffffeu));
}

static void test_wake_mark_is_reached_with_a_full_run_left(void **state)
{
	(void)state;
	for (unsigned int size = 8; size <= 8192; size *= 2) {
		assert_true(ipoib_tx_may_wake(ipoib_tx_rate_max(size), size));
		assert_false(ipoib_tx_may_wake(size / 2 + 1, size));
	}
}

static void test_rate_range(void **state)
{
	(void)state;
	assert_false(ipoib_tx_rate_valid(0, 128));
	assert_true(ipoib_tx_rate_valid(1, 128));
	assert_true(ipoib_tx_rate_valid(32, 128));
	assert_false(ipoib_tx_rate_valid(33, 128));
	assert_false(ipoib_tx_rate_valid((unsigned int)-1, 128));
}

static void test_flush_comes_within_two_periods(void **state)
{
	struct model m;

	(void)state;
	setup_model(&m, 128, 0);
	model_send(&m, false, false, false, false); /* forced */
	model_send(&m, false, false, false, false);
	assert_true(m.armed);
	/* a signaled send and a new run: the first look waits, the second flushes */
	for (int i = 0; i < 32; i++)
		model_send(&m, false, false, false, false);
	model_timer(&m);
	assert_int_equal(m.flushes, 0);
	assert_true(m.armed);
	model_timer(&m);
	assert_int_equal(m.flushes, 1);
	assert_int_equal(m.s.run, 0);
	assert_false(m.armed);
	assert_in_range(2 * ipoib_tx_flush_period(IPOIB_TX_SIGNAL_USECS), 0, IPOIB_TX_SIGNAL_USECS);
}

static void test_poll_quota_bounds_retired_sends(void **state)
{
	(void)state;
	for (unsigned int rate = 1; rate <= 2048; rate++) {
		unsigned int quota = ipoib_tx_poll_quota(rate, 64);

		assert_in_range(quota, 1, 64);
		assert_true(quota == 1 || quota * rate <= 64);
	}
	assert_int_equal(ipoib_tx_poll_quota(1, 64), 64);
	assert_int_equal(ipoib_tx_poll_quota(32, 64), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_sequence_keeps_the_invariants),
		cmocka_unit_test(test_cqes_are_at_least_posts_by_rate),
		cmocka_unit_test(test_rate_one_signals_everything),
		cmocka_unit_test(test_send_that_stops_the_queue_is_signaled),
		cmocka_unit_test(test_zero_usecs_signals_the_end_of_each_burst),
		cmocka_unit_test(test_failed_post_leaves_the_next_one_signaled),
		cmocka_unit_test(test_completion_retires_all_before_it),
		cmocka_unit_test(test_stray_completion_retires_nothing),
		cmocka_unit_test(test_address_handle_is_pending_until_its_send_is_retired),
		cmocka_unit_test(test_wake_mark_is_reached_with_a_full_run_left),
		cmocka_unit_test(test_rate_range),
		cmocka_unit_test(test_flush_comes_within_two_periods),
		cmocka_unit_test(test_poll_quota_bounds_retired_sends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
