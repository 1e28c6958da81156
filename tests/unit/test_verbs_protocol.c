// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of a verbs run: what is packed is parsed back, what is malformed is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_protocol.c"

static const struct verbs_request a_request = {
	.host = "sender", .way = VERBS_BY_GROUP, .address = "fd00::2", .group = "239.1.2.3",
	.nonce = (1ULL << 62) + 1, .flows = 3, .message_bytes = 100, .recv_depth = 512,
	.uses_events = true, .device = { "rxe0", 1, 3 }, .moderation_count = 16,
	.moderation_usecs = 20, .cpu = 1,
};

static void test_request_survives_the_wire(void **state)
{
	json_t *msg = verbs_request_pack(&a_request);
	struct verbs_request back;

	(void)state;
	assert_int_equal(verbs_request_parse(msg, &back), 0);
	assert_memory_equal(&back, &a_request, sizeof(back));
	json_decref(msg);
}

/* A good request with one member replaced. */
static int parse_with(const char *key, json_t *value)
{
	json_t *msg = verbs_request_pack(&a_request);
	struct verbs_request back;
	int ret;

	json_object_set_new(msg, key, value);
	ret = verbs_request_parse(msg, &back);
	json_decref(msg);
	return ret;
}

static void test_request_out_of_range_is_refused(void **state)
{
	char long_name[200];

	(void)state;
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_int_equal(parse_with("flows", json_integer(0)), -EPROTO);
	assert_int_equal(parse_with("flows", json_integer(VERBS_MAX_QPS + 1)), -EPROTO);
	assert_int_equal(parse_with("recv_depth", json_integer(1LL << 40)), -EPROTO);
	assert_int_equal(parse_with("message_bytes", json_integer(-1)), -EPROTO);
	assert_int_equal(parse_with("way", json_string("pigeon")), -EPROTO);
	assert_int_equal(parse_with("device", json_string(long_name)), -EPROTO);
	assert_int_equal(parse_with("type", json_string("end")), -EPROTO);
	assert_int_equal(parse_with("uses_events", json_string("yes")), 0);
}

static void test_setup_survives_the_wire(void **state)
{
	struct verbs_setup setup = { .n_qps = 2, .qpns = { 17, 0xffffff }, .qkey = 0x7fffffff,
		.lid = 5, .gid.raw = { 0xfd, [15] = 1 }, .is_ethernet = true, .mtu_bytes = 4096 };
	struct verbs_setup back;
	json_t *msg = verbs_setup_pack(&setup);

	(void)state;
	assert_int_equal(verbs_setup_parse(msg, &back), 0);
	assert_memory_equal(&back, &setup, sizeof(back));
	json_object_set_new(msg, "qpns", json_pack("[i]", 0x1000000));
	assert_int_equal(verbs_setup_parse(msg, &back), -EPROTO);
	json_object_set_new(msg, "qpns", json_array());
	json_object_set_new(msg, "gid", json_string("not one"));
	assert_int_equal(verbs_setup_parse(msg, &back), -EPROTO);
	json_decref(msg);
}

static void test_end_needs_a_count_for_each_flow(void **state)
{
	struct verbs_end end = { .flows = 2, .sent = { 1ULL << 53, 7 } }, back;
	json_t *msg = verbs_end_pack(&end);

	(void)state;
	assert_int_equal(verbs_end_parse(msg, &back), 0);
	assert_memory_equal(&back, &end, sizeof(back));
	json_object_set_new(msg, "sent", json_array());
	assert_int_equal(verbs_end_parse(msg, &back), -EPROTO);
	json_object_set_new(msg, "sent", json_pack("[i]", -1));
	assert_int_equal(verbs_end_parse(msg, &back), -EPROTO);
	json_decref(msg);
}

static void test_outcome_survives_the_wire(void **state)
{
	struct verbs_outcome out = { .flows = 1, .foreign = 3, .completions = 103, .events = 9,
		.drops = { 4, 5, "out_of_buffer" } };
	struct verbs_outcome back;
	json_t *msg;

	(void)state;
	out.received[0] = (struct result_received){ .is_known = true, .is_sequenced = true,
		.seconds = 1.5, .bytes = 10000, .packets = 100, .lost_packets = 9,
		.duplicates = 1, .out_of_order = 2, .jitter_ms = NAN };
	out.device = json_pack("{s:s}", "device", "rxe0");
	msg = verbs_outcome_pack(&out);
	assert_int_equal(verbs_outcome_parse(msg, &back), 0);
	assert_int_equal(back.received[0].packets, 100);
	assert_int_equal(back.received[0].lost_packets, 9);
	assert_true(isnan(back.received[0].jitter_ms));
	assert_int_equal(back.drops.no_receive_wr, 4);
	assert_string_equal(back.drops.source, "out_of_buffer");
	assert_int_equal(back.events, 9);
	assert_true(json_equal(back.device, out.device));
	json_decref(back.device);
	json_decref(out.device);
	json_decref(msg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_survives_the_wire),
		cmocka_unit_test(test_request_out_of_range_is_refused),
		cmocka_unit_test(test_setup_survives_the_wire),
		cmocka_unit_test(test_end_needs_a_count_for_each_flow),
		cmocka_unit_test(test_outcome_survives_the_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
