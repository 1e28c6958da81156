// SPDX-License-Identifier: GPL-2.0-or-later
/* Zerocopy notifications: which slots are free, however they come, and what a failed send's number does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/types.h>	/* the shim of kernel headers hides linux/types.h */
#include <cmocka.h>

#include "../../ubench/zerocopy.c"

static void notify(struct zerocopy *z, uint32_t first, uint32_t last, uint8_t code)
{
	const struct sock_extended_err report = { .ee_origin = SO_EE_ORIGIN_ZEROCOPY, .ee_info = first,
						  .ee_data = last, .ee_code = code };
	char control[CMSG_SPACE(sizeof(report))] __attribute__((aligned(8))) = { 0 };
	struct msghdr msg = { .msg_control = control, .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = IPPROTO_IP;
	c->cmsg_type = IP_RECVERR;
	c->cmsg_len = CMSG_LEN(sizeof(report));
	memcpy(CMSG_DATA(c), &report, sizeof(report));
	zerocopy_take(z, &msg);
}

static void send_all(struct zerocopy *z)
{
	while (zerocopy_slot(z) >= 0)
		zerocopy_sent(z);
}

static void test_a_held_slot_is_not_used_again(void **state)
{
	struct zerocopy z = { 0 };

	(void)state;
	send_all(&z);
	assert_int_equal(z.sends, ZEROCOPY_SLOTS);
	notify(&z, 1, 3, SO_EE_CODE_ZEROCOPY_COPIED);
	assert_int_equal(zerocopy_slot(&z), -1);
	notify(&z, 0, 0, 0);
	assert_int_equal(zerocopy_slot(&z), 0);
	assert_int_equal(z.notified, 4);
	assert_int_equal(z.copied, 3);
	assert_int_equal(z.held, ZEROCOPY_SLOTS - 4);
}

static void test_notifications_count_once_and_over_the_wrap(void **state)
{
	struct zerocopy z = { .next = UINT32_MAX - 2 };

	(void)state;
	send_all(&z);
	notify(&z, UINT32_MAX - 2, 2, 0);
	notify(&z, UINT32_MAX - 2, 2, 0);
	assert_int_equal(z.notified, 6);
	notify(&z, 3, ZEROCOPY_SLOTS - 4, 0);
	assert_int_equal(z.held, 0);
	assert_int_equal(z.notified, z.sends);
}

static void test_the_number_of_a_failed_send_is_skipped(void **state)
{
	struct zerocopy z = { 0 };

	(void)state;
	zerocopy_sent(&z);
	/* Number 1 was taken by a send that failed. */
	notify(&z, 0, 1, 0);
	assert_int_equal(z.next, 2);
	assert_int_equal(z.notified, 1);
	assert_int_equal(z.held, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_held_slot_is_not_used_again),
		cmocka_unit_test(test_notifications_count_once_and_over_the_wrap),
		cmocka_unit_test(test_the_number_of_a_failed_send_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
