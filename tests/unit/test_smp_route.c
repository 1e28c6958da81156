// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of a softib switch's part of directed routing, on the file it ships. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../lab/softib/smp_route.c"

/* A packet on its way through ports 3 and then 5, permissive at both ends. */
static struct ib_smp packet(unsigned int hop_ptr, unsigned int hop_cnt, int returning)
{
	struct ib_smp smp = {
		.status = returning ? IB_SMP_DIRECTION : 0,
		.hop_ptr = hop_ptr,
		.hop_cnt = hop_cnt,
		.dr_slid = IB_LID_PERMISSIVE,
		.dr_dlid = IB_LID_PERMISSIVE,
		.initial_path = { 0, 3, 5 },
		.return_path = { 0, 7, 9 },
	};

	return smp;
}

static void test_a_request_on_its_way_leaves_by_its_path_and_notes_where_it_came_in(void **state)
{
	struct ib_smp smp = packet(1, 2, 0);
	unsigned int out;

	(void)state;
	assert_int_equal(softib_smp_route(&smp, 4, &out), SOFTIB_SMP_PORT);
	assert_int_equal(out, 5);
	assert_int_equal(smp.hop_ptr, 2);
	assert_int_equal(smp.return_path[1], 4);
}

static void test_a_request_at_its_end_is_for_the_agent(void **state)
{
	struct ib_smp smp = packet(1, 1, 0);
	unsigned int out;

	(void)state;
	assert_int_equal(softib_smp_route(&smp, 4, &out), SOFTIB_SMP_LOCAL);
	assert_int_equal(smp.hop_ptr, 2);
	assert_int_equal(smp.return_path[1], 4);
}

static void test_an_answer_of_the_agent_goes_back_where_the_request_came_in(void **state)
{
	struct ib_smp smp = packet(1, 1, 0);
	unsigned int out;

	(void)state;
	softib_smp_route(&smp, 4, &out);
	smp.status |= IB_SMP_DIRECTION;
	assert_int_equal(softib_smp_route(&smp, 0, &out), SOFTIB_SMP_PORT);
	assert_int_equal(out, 4);
	assert_int_equal(smp.hop_ptr, 1);
}

static void test_an_answer_on_its_way_leaves_by_the_return_path(void **state)
{
	struct ib_smp smp = packet(2, 2, 1);
	unsigned int out;

	(void)state;
	assert_int_equal(softib_smp_route(&smp, 5, &out), SOFTIB_SMP_PORT);
	assert_int_equal(out, 7);
	assert_int_equal(smp.hop_ptr, 1);
}

static void test_a_directed_part_between_lids_starts_and_ends_here(void **state)
{
	struct ib_smp smp = packet(0, 1, 0);
	unsigned int out;

	(void)state;
	assert_int_equal(softib_smp_route(&smp, 4, &out), SOFTIB_SMP_PORT);
	assert_int_equal(out, 3);
	assert_int_equal(smp.return_path[0], 0);

	smp = packet(1, 1, 1);
	smp.dr_slid = cpu_to_be16(17);
	assert_int_equal(softib_smp_route(&smp, 3, &out), SOFTIB_SMP_LID);
	assert_int_equal(out, 17);
	assert_int_equal(smp.hop_ptr, 0);

	smp = packet(1, 1, 0);
	smp.dr_dlid = cpu_to_be16(18);
	assert_int_equal(softib_smp_route(&smp, 3, &out), SOFTIB_SMP_LID);
	assert_int_equal(out, 18);
}

static void test_what_has_no_way_is_discarded(void **state)
{
	static const struct {
		uint8_t hop_ptr, hop_cnt;
		int returning;
	} bad[] = { { 1, 64, 0 }, { 63, 255, 0 }, { 3, 1, 0 }, { 4, 2, 1 }, { 1, 2, 1 }, { 0, 2, 1 }, { 1, 64, 1 } };
	unsigned int out;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct ib_smp smp = packet(bad[i].hop_ptr, bad[i].hop_cnt, bad[i].returning);

		assert_int_equal(softib_smp_route(&smp, 4, &out), SOFTIB_SMP_DISCARD);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_request_on_its_way_leaves_by_its_path_and_notes_where_it_came_in),
		cmocka_unit_test(test_a_request_at_its_end_is_for_the_agent),
		cmocka_unit_test(test_an_answer_of_the_agent_goes_back_where_the_request_came_in),
		cmocka_unit_test(test_an_answer_on_its_way_leaves_by_the_return_path),
		cmocka_unit_test(test_a_directed_part_between_lids_starts_and_ends_here),
		cmocka_unit_test(test_what_has_no_way_is_discarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
