// SPDX-License-Identifier: GPL-2.0-or-later
/* Drops of queueing disciplines: each packet counted once, whether a leaf refused it or took and lost it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/types.h>	/* the shim of kernel headers hides linux/types.h */
#include <cmocka.h>

#include "../../ubench/qdisc.c"

static struct listing with(const struct entry *entries, unsigned int n)
{
	struct listing l = { .n = n };

	memcpy(l.entries, entries, n * sizeof(*entries));
	return l;
}

static void test_a_packet_refused_by_a_leaf_is_counted_once(void **state)
{
	/* HTB with a full pfifo below: both count the same packets. */
	static struct listing l;
	struct qdisc q = { .root = "" };

	(void)state;
	l = with((const struct entry[]){ { 0x10000, TC_H_ROOT, 40, "htb" },
					 { 0x20000, 0x10001, 40, "pfifo" } }, 2);
	summarize(&l, &q);
	assert_string_equal(q.root, "htb");
	assert_int_equal(q.drops, 40);
}

static void test_a_packet_lost_by_a_leaf_is_counted(void **state)
{
	/* netem below HTB takes packets and loses them: its parent does not know. */
	static struct listing l;
	struct qdisc q = { .root = "" };

	(void)state;
	l = with((const struct entry[]){ { 0x10000, TC_H_ROOT, 0, "htb" },
					 { 0x20000, 0x10001, 25, "netem" },
					 { 0x30000, 0x10002, 5, "netem" } }, 3);
	summarize(&l, &q);
	assert_int_equal(q.drops, 30);
}

static void test_queues_of_a_device_without_handles_are_leaves(void **state)
{
	static struct listing l;
	struct qdisc q = { .root = "" };

	(void)state;
	l = with((const struct entry[]){ { 0, TC_H_ROOT, 3, "mq" }, { 0, 1, 1, "fq_codel" },
					 { 0, 2, 2, "fq_codel" } }, 3);
	summarize(&l, &q);
	assert_string_equal(q.root, "mq");
	assert_int_equal(q.drops, 3);
}

static void test_an_interface_that_is_not_there_is_an_error(void **state)
{
	struct qdisc q;

	(void)state;
	assert_int_equal(qdisc_read("no-such-if", &q), -ENODEV);
	assert_int_equal(qdisc_read("lo", &q), 0);
	assert_true(*q.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_packet_refused_by_a_leaf_is_counted_once),
		cmocka_unit_test(test_a_packet_lost_by_a_leaf_is_counted),
		cmocka_unit_test(test_queues_of_a_device_without_handles_are_leaves),
		cmocka_unit_test(test_an_interface_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
