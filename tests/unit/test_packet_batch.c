// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets of a batch: single ones as they are, joined ones cut to the size that the kernel notes, the last one shorter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/types.h>	/* the shim of kernel headers hides linux/types.h */
#include <cmocka.h>

#include "../../ubench/affinity.c"
#include "../../ubench/packet_batch.c"

/* As recvmmsg() would leave buffer i. */
static void fill(struct packet_batch *b, unsigned int i, unsigned int len, int segment)
{
	struct msghdr *msg = &b->headers[i].msg_hdr;
	struct cmsghdr *c;

	b->headers[i].msg_len = len;
	msg->msg_control = b->control[i];
	msg->msg_controllen = segment ? sizeof(b->control[i]) : 0;
	b->n = i + 1;
	if (!segment)
		return;
	c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = IPPROTO_UDP;
	c->cmsg_type = UDP_GRO;
	c->cmsg_len = CMSG_LEN(sizeof(segment));
	memcpy(CMSG_DATA(c), &segment, sizeof(segment));
}

static void expect(struct packet_batch *b, const size_t *lengths, size_t n)
{
	const char *data;
	size_t len, i;

	for (i = 0; i < n; i++) {
		assert_true(packet_batch_next(b, &data, &len));
		assert_int_equal(len, lengths[i]);
	}
	assert_false(packet_batch_next(b, &data, &len));
}

static void test_single_packets_come_one_by_one_empty_ones_too(void **state)
{
	struct packet_batch *b = packet_batch_alloc(100, false);

	(void)state;
	fill(b, 0, 100, 0);
	fill(b, 1, 0, 0);
	fill(b, 2, 101, 0);
	expect(b, (const size_t[]){ 100, 0, 101 }, 3);
	assert_int_equal(b->most_joined, 0);
	packet_batch_free(b);
}

static void test_joined_packets_are_cut_apart(void **state)
{
	struct packet_batch *b = packet_batch_alloc(100, true);

	(void)state;
	fill(b, 0, 250, 100);
	fill(b, 1, 100, 0);
	fill(b, 2, 400, 100);
	expect(b, (const size_t[]){ 100, 100, 50, 100, 100, 100, 100, 100 }, 8);
	assert_int_equal(b->most_joined, 4);
	packet_batch_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single_packets_come_one_by_one_empty_ones_too),
		cmocka_unit_test(test_joined_packets_are_cut_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
