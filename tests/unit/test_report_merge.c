// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of one plan become one: rounds numbered on, origins kept, other plans refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../ubench/report_merge.c"

/* A run of one round over two points; seed goes into its notes. */
static json_t *a_run(const char *second_point, const char *test, const char *seed)
{
	return json_pack("{s:{s:s, s:[s], s:{s:s, s:s}, s:s}, s:{s:[s, s], s:i},"
			 " s:[{s:s, s:i}, {s:s, s:i}]}",
			 "start", "knob", "tx_signal_rate", "test", test, "notes", "seed", seed, "same",
			 "yes", "host", "h", "plan", "points", "1", second_point, "repeats", 1,
			 "repeats", "point", "1", "round", 1, "point", second_point, "round", 1);
}

static json_t *merge_two(json_t *a, json_t *b, char *why, size_t why_len)
{
	struct report_runs runs = { .n = 2, .docs = { a, b }, .names = { "a", "b" } };
	json_t *merged = report_merge(&runs, why, why_len);

	json_decref(a);
	json_decref(b);
	return merged;
}

static void test_rounds_go_on_and_origins_are_kept(void **state)
{
	char why[160] = "";
	json_t *merged = merge_two(a_run("8", "t", "1"), a_run("8", "t", "2"), why, sizeof(why));
	json_t *want = json_pack("[{s:s,s:i,s:i},{s:s,s:i,s:i},{s:s,s:i,s:i},{s:s,s:i,s:i}]",
				 "point", "1", "round", 1, "run", 1, "point", "8", "round", 1, "run", 1,
				 "point", "1", "round", 2, "run", 2, "point", "8", "round", 2, "run", 2);
	const char *seed, *name;

	(void)state;
	assert_non_null(merged);
	assert_true(json_equal(json_object_get(merged, "repeats"), want));
	assert_int_equal(json_integer_value(part(merged, "plan", "repeats")), 2);
	assert_null(json_object_get(part(merged, "start", "notes"), "seed"));
	assert_non_null(json_object_get(part(merged, "start", "notes"), "same"));
	assert_int_equal(json_unpack(json_array_get(part(merged, "start", "merged_from"), 1),
				     "{s:s, s:{s:s}}", "name", &name, "notes", "seed", &seed), 0);
	assert_string_equal(name, "b");
	assert_string_equal(seed, "2");
	json_decref(want);
	json_decref(merged);
}

static void test_other_plans_and_tests_are_refused_by_name(void **state)
{
	char why[160];

	(void)state;
	assert_null(merge_two(a_run("8", "t", "1"), a_run("4", "t", "1"), why, sizeof(why)));
	assert_string_equal(why, "a and b differ in their points");
	assert_null(merge_two(a_run("8", "t", "1"), a_run("8", "u", "1"), why, sizeof(why)));
	assert_string_equal(why, "a and b differ in their test command");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds_go_on_and_origins_are_kept),
		cmocka_unit_test(test_other_plans_and_tests_are_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
