// SPDX-License-Identifier: GPL-2.0-or-later
/* Sequence tracking: sent = unique + lost in every mix of loss, reordering and duplicates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/seq.c"

static void test_in_order_packets_are_unique(void **state)
{
	struct seq_tracker t;
	uint64_t i;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	for (i = 0; i < 100000; i++)
		assert_int_equal(seq_record(&t, i), SEQ_NEW);
	assert_int_equal(t.unique, 100000);
	assert_int_equal(t.late + t.duplicates, 0);
	assert_int_equal(seq_finish(&t, 100000), 0);
	seq_free(&t);
}

static void test_reordering_without_loss_is_not_loss(void **state)
{
	struct seq_tracker t;
	uint64_t i;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	for (i = 0; i < 90000; i += 3) {
		assert_int_equal(seq_record(&t, i + 2), SEQ_NEW);
		assert_int_equal(seq_record(&t, i), SEQ_LATE);
		assert_int_equal(seq_record(&t, i + 1), SEQ_LATE);
	}
	assert_int_equal(t.late, 60000);
	assert_int_equal(seq_finish(&t, 90000), 0);
	seq_free(&t);
}

static void test_lost_tail_and_lost_everything_are_counted(void **state)
{
	struct seq_tracker t;
	uint64_t i;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	for (i = 0; i < 7; i++)
		seq_record(&t, i);
	assert_int_equal(seq_finish(&t, 10), 3);
	seq_free(&t);
	assert_int_equal(seq_init(&t), 0);
	assert_int_equal(seq_finish(&t, 10), 10);
	seq_free(&t);
}

static void test_numbers_never_sent_do_not_make_loss_negative(void **state)
{
	struct seq_tracker t;
	uint64_t i;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	for (i = 0; i < 20; i++)
		seq_record(&t, i);
	assert_int_equal(seq_record(&t, UINT64_MAX), SEQ_IMPLAUSIBLE);
	assert_int_equal(seq_finish(&t, 15), 0);
	assert_int_equal(t.unique, 15);
	assert_int_equal(t.implausible, 6);
	seq_free(&t);
}

static void test_number_that_left_the_window_is_not_counted_twice(void **state)
{
	const uint64_t window = (uint64_t)SEQ_WINDOW_PAGES * SEQ_PAGE_NUMBERS;
	struct seq_tracker t;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	assert_int_equal(seq_record(&t, 0), SEQ_NEW);
	assert_int_equal(seq_record(&t, window - 1), SEQ_NEW);
	assert_int_equal(seq_record(&t, window), SEQ_NEW);
	assert_int_equal(seq_record(&t, 0), SEQ_DUPLICATE);
	assert_int_equal(seq_record(&t, SEQ_PAGE_NUMBERS), SEQ_LATE);
	assert_int_equal(seq_finish(&t, window + 1), window + 1 - 4);
	seq_free(&t);
}

/* A small model: arrival counts per number, against random loss, reordering and duplicates. */
static void test_random_mix_agrees_with_a_counting_model(void **state)
{
	enum { SENT = 70000 };
	static unsigned char seen[SENT];
	uint64_t unique = 0, duplicates = 0, i;
	unsigned int seed = 2006;
	struct seq_tracker t;

	(void)state;
	assert_int_equal(seq_init(&t), 0);
	for (i = 0; i < 3 * SENT; i++) {
		uint64_t at = i / 3 + (uint64_t)(rand_r(&seed) % 4000);

		if (at >= SENT)
			continue;
		seq_record(&t, at);
		unique += !seen[at];
		duplicates += seen[at];
		seen[at] = 1;
	}
	assert_int_equal(t.unique, unique);
	assert_int_equal(t.duplicates, duplicates);
	assert_int_equal(seq_finish(&t, SENT), SENT - unique);
	seq_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order_packets_are_unique),
		cmocka_unit_test(test_reordering_without_loss_is_not_loss),
		cmocka_unit_test(test_lost_tail_and_lost_everything_are_counted),
		cmocka_unit_test(test_numbers_never_sent_do_not_make_loss_negative),
		cmocka_unit_test(test_number_that_left_the_window_is_not_counted_twice),
		cmocka_unit_test(test_random_mix_agrees_with_a_counting_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
