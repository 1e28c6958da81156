// SPDX-License-Identifier: GPL-2.0-or-later
/* Accounting: received + lost is what was sent, and the causes add up to the loss. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/account.c"
#include "../../ubench/result.c"

static void add_flow(struct ubench_result *r, uint64_t sent, const struct receiver_counts *counts)
{
	struct result_stream s = { .sent = { .seconds = 2, .packets = sent, .bytes = sent * 100 } };

	if (counts)
		account_stream(&s, counts, ACCOUNT_NUMBERED);
	assert_int_equal(result_add_stream(r, &s), 0);
}

static void test_parts_add_up_to_the_whole(void **state)
{
	struct receiver_counts a = { .packets = 90, .span_ns = 3000000000, .jitter_ns = 1000000 };
	struct receiver_counts b = { .packets = 60, .jitter_ns = 3000000 };
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	add_flow(&r, 100, &a);
	add_flow(&r, 100, &b);
	account_sum(&r, 30, &(struct drops){ .queue = 9, .transmit_ring = 3, .receive_ring = 2, .checksum = 7 }, 4);
	assert_int_equal(r.sent.packets, 200);
	assert_int_equal(r.received.packets + r.received.lost_packets, 200);
	assert_int_equal(r.loss.receive_checksum, 7);
	assert_int_equal(r.loss.receive_socket, 23);
	assert_int_equal(r.loss.sender_queue, 5);
	assert_int_equal(r.loss.transmit_ring, 3);
	assert_int_equal(r.loss.receive_ring, 2);
	assert_int_equal(r.loss.unknown, 10);
	assert_true(r.received.seconds == 3.0);
	assert_true(r.received.jitter_ms == 2.0);
	assert_true(result_lost_percent(&r.received) == 25.0);
	result_free(&r);
}

static void test_drops_of_others_do_not_exceed_the_loss(void **state)
{
	struct receiver_counts a = { .packets = 98 };
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	add_flow(&r, 100, &a);
	account_sum(&r, 1000, &(struct drops){ .queue = 1000, .receive_ring = 1000 }, 0);
	assert_int_equal(r.loss.receive_socket, 2);
	assert_int_equal(r.loss.sender_queue, 0);
	assert_int_equal(r.loss.unknown, 0);
	result_free(&r);
}

static void test_sends_that_the_queue_refused_are_not_lost(void **state)
{
	struct receiver_counts a = { .packets = 60 };
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	add_flow(&r, 100, &a);
	account_sum(&r, 0, &(struct drops){ .queue = 70 }, 50);
	assert_int_equal(r.loss.sender_queue, 20);
	assert_int_equal(r.loss.unknown, 20);
	account_sum(&r, 0, &(struct drops){ .queue = 70 }, 80);
	assert_int_equal(r.loss.sender_queue, 0);
	result_free(&r);
}

static void test_more_received_than_sent_is_no_negative_loss(void **state)
{
	struct receiver_counts a = { .packets = 101 };
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	add_flow(&r, 100, &a);
	account_sum(&r, 0, &(struct drops){ 0 }, 0);
	assert_int_equal(r.received.packets, 100);
	assert_int_equal(r.received.lost_packets, 0);
	result_free(&r);
}

static void test_run_without_receiver_stays_unknown(void **state)
{
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	add_flow(&r, 100, NULL);
	account_sum(&r, 0, &(struct drops){ .queue = 9 }, 0);
	assert_false(r.received.is_known);
	assert_int_equal(r.sent.packets, 100);
	assert_int_equal(r.loss.sender_queue, 0);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_add_up_to_the_whole),
		cmocka_unit_test(test_drops_of_others_do_not_exceed_the_loss),
		cmocka_unit_test(test_sends_that_the_queue_refused_are_not_lost),
		cmocka_unit_test(test_more_received_than_sent_is_no_negative_loss),
		cmocka_unit_test(test_run_without_receiver_stays_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
