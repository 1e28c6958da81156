// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON document of a run: exact integers, null for the unknown, both directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/result.c"
#include "../../ubench/result_json.c"
#include "../../ubench/result_read.c"

static void fill(struct ubench_result *r)
{
	char *argv[] = { "ubench", "UDP_STREAM", "-H", "peer" };
	struct result_interval iv = { .start_seconds = 1, .seconds = 1, .packets = 7 };
	struct result_stream s = { .flow_id = 3, .sent = { .packets = 9 } };

	result_init(r, "UDP_STREAM");
	assert_int_equal(result_set_command_line(r, 4, argv), 0);
	assert_int_equal(result_add_interval(r, &iv), 0);
	assert_int_equal(result_add_interval(r, &iv), 0);
	assert_int_equal(result_add_interval(r, &iv), 0);
	assert_int_equal(result_add_stream(r, &s), 0);
	r->sent = (struct result_sent){ 2.0, (1ULL << 60) + 1, (1ULL << 53) + 1, 4 };
	r->received = (struct result_received){ .is_known = true, .is_sequenced = true,
		.seconds = 2.0, .packets = 1ULL << 53, .lost_packets = 1, .duplicates = 5,
		.out_of_order = 6, .foreign = 7, .jitter_ms = 0.25 };
	r->loss.unknown = 1;
	r->message_bytes = 100;
}

/* Through text, as a child process hands it to its reader. */
static json_t *through_text(const struct ubench_result *r)
{
	json_t *doc = result_to_json(r), *again;
	char *text = json_dumps(doc, JSON_INDENT(1));

	assert_non_null(text);
	again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(again);
	free(text);
	json_decref(doc);
	return again;
}

static void test_document_round_trips_with_exact_integers(void **state)
{
	struct ubench_result a, b;
	json_t *doc;

	(void)state;
	fill(&a);
	doc = through_text(&a);
	assert_int_equal(result_from_json(&b, doc, NULL), 0);
	assert_true(b.sent.packets == (1ULL << 53) + 1);
	assert_true(b.sent.bytes == (1ULL << 60) + 1);
	assert_int_equal(b.received.lost_packets, 1);
	assert_int_equal(b.received.duplicates, 5);
	assert_true(b.received.jitter_ms == 0.25);
	assert_int_equal(b.n_intervals, 3);
	assert_int_equal(b.n_streams, 1);
	assert_int_equal(b.streams[0].flow_id, 3);
	assert_false(b.streams[0].received.is_known);
	assert_int_equal(b.n_command_line, 4);
	assert_string_equal(b.command_line[3], "peer");
	json_decref(doc);
	result_free(&a);
	result_free(&b);
}

static void test_unknown_values_are_null(void **state)
{
	struct ubench_result r;
	json_t *doc, *end;

	(void)state;
	result_init(&r, "UDP_STREAM");
	doc = through_text(&r);
	end = json_object_get(doc, "end");
	assert_true(json_is_null(json_object_get(end, "sum_received")));
	assert_true(json_is_null(json_object_get(end, "loss")));
	assert_null(json_object_get(doc, "error"));
	json_decref(doc);
	r.received.is_known = true;
	doc = through_text(&r);
	end = json_object_get(json_object_get(doc, "end"), "sum_received");
	assert_true(json_is_null(json_object_get(end, "duplicates")));
	assert_true(json_is_null(json_object_get(end, "jitter_ms")));
	json_decref(doc);
	result_free(&r);
}

static void test_failed_run_is_a_document_with_its_first_error(void **state)
{
	struct ubench_result a, b;
	json_t *doc;

	(void)state;
	result_init(&a, "UDP_STREAM");
	result_set_error(&a, 1, "control", "no server at %s", "peer");
	result_set_error(&a, 1, "data", "later");
	doc = through_text(&a);
	assert_int_equal(result_from_json(&b, doc, NULL), 0);
	assert_int_equal(b.error.code, 1);
	assert_string_equal(b.error.where, "control");
	assert_string_equal(b.error.message, "no server at peer");
	json_decref(doc);
	result_free(&a);
	result_free(&b);
}

static void test_document_at_fault_is_refused_by_name(void **state)
{
	struct ubench_result a, b;
	const char *what = NULL;
	json_t *doc;

	(void)state;
	fill(&a);
	doc = through_text(&a);
	json_object_set_new(json_object_get(json_object_get(doc, "end"), "sum_sent"), "packets",
			    json_real(1.5));
	assert_int_equal(result_from_json(&b, doc, &what), -EINVAL);
	assert_string_equal(what, "packets");
	json_decref(doc);
	doc = json_pack("[i]", 1);
	assert_int_equal(result_from_json(&b, doc, &what), -EINVAL);
	json_decref(doc);
	result_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_document_round_trips_with_exact_integers),
		cmocka_unit_test(test_unknown_values_are_null),
		cmocka_unit_test(test_failed_run_is_a_document_with_its_first_error),
		cmocka_unit_test(test_document_at_fault_is_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
