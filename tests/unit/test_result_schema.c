// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Documents of runs, of every kind, are valid against ubench/result.schema.json. With the names of files, checks those: the
 * end-to-end tests hand it what ubench wrote.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../../ubench/result.c"
#include "../../ubench/result_json.c"
#include "../../ubench/schema.c"

static int check(const json_t *doc)
{
	json_t *schema = json_load_file("ubench/result.schema.json", 0, NULL);
	char why[256] = "";
	int ret;

	assert_non_null(schema);
	ret = schema_check(schema, doc, why, sizeof(why));
	if (ret)
		fprintf(stderr, "%s\n", why);
	json_decref(schema);
	return ret;
}

static void assert_valid(const struct ubench_result *r)
{
	json_t *doc = result_to_json(r);

	assert_int_equal(check(doc), 0);
	json_decref(doc);
}

static void fill(struct ubench_result *r)
{
	char *argv[] = { "UDP_STREAM", "-H", "peer" };
	struct result_interval iv = { .seconds = 1 };
	struct result_stream s = { .gaps = { .is_known = true } };

	result_init(r, "UDP_STREAM");
	assert_int_equal(result_set_command_line(r, 3, argv), 0);
	assert_int_equal(result_add_interval(r, &iv), 0);
	s.received = r->received = (struct result_received){ .is_known = true,
		.is_sequenced = true, .jitter_ms = 1 };
	assert_int_equal(result_add_stream(r, &s), 0);
	r->local_cpu = (struct result_cpu){ true, 1, 2 };
	r->confidence = (struct result_confidence){ .iterations = 3, .sent_width_percent = NAN };
	r->recv_socket_bytes = 1;
}

static void test_counted_run_is_valid(void **state)
{
	struct ubench_result r;

	(void)state;
	fill(&r);
	assert_valid(&r);
	r.received.is_sequenced = false;
	assert_valid(&r);
	r.received.is_byte_stream = true;
	assert_valid(&r);
	result_free(&r);
}

static void test_failed_and_empty_runs_are_valid(void **state)
{
	struct ubench_result r;

	(void)state;
	result_init(&r, "UDP_STREAM");
	assert_valid(&r);
	result_set_error(&r, 1, "control", "no server");
	assert_valid(&r);
	result_free(&r);
}

static void test_unknown_or_missing_members_are_not_valid(void **state)
{
	struct ubench_result r;
	json_t *doc;

	(void)state;
	fill(&r);
	doc = result_to_json(&r);
	json_object_set_new(doc, "surprise", json_null());
	assert_int_not_equal(check(doc), 0);
	json_object_del(doc, "surprise");
	json_object_del(json_object_get(doc, "end"), "sum_sent");
	assert_int_not_equal(check(doc), 0);
	json_decref(doc);
	result_free(&r);
}

static int check_files(int argc, char **argv)
{
	int i, ret = 0;

	for (i = 1; i < argc; i++) {
		json_t *doc = json_load_file(argv[i], JSON_REJECT_DUPLICATES, NULL);

		if (!doc || check(doc)) {
			fprintf(stderr, "%s is not a valid document\n", argv[i]);
			ret = 1;
		}
		json_decref(doc);
	}
	return ret;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted_run_is_valid),
		cmocka_unit_test(test_failed_and_empty_runs_are_valid),
		cmocka_unit_test(test_unknown_or_missing_members_are_not_valid),
	};

	return argc > 1 ? check_files(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
