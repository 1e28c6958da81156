// SPDX-License-Identifier: GPL-2.0-or-later
/* Control messages: what is packed is parsed back, what is malformed is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/types.h>	/* the shim of kernel headers hides linux/types.h */
#include <cmocka.h>

#include "../../ubench/channel.c"
#include "../../ubench/protocol.c"
#include "../../ubench/protocol_counts.c"
#include "../../ubench/secret.c"

static const struct protocol_run a_run = {
	.test = "UDP_STREAM", .host = "sender", .data_address = "fd00::2", .family = AF_INET6,
	.flows = 3, .message_bytes = 100, .socket_bytes = 4096, .data_port = 7, .cpu = 1,
	.has_warmup = true, .progress_ms = 250, .clock_id = "a boot", .nonce = 5, .has_gro = true,
	.is_bidirectional = true, .batch = 1, .gso = 4, .pps = 1000,
};

static void test_run_request_survives_the_wire(void **state)
{
	json_t *msg = protocol_run_pack(&a_run);
	struct protocol_run back;

	(void)state;
	assert_int_equal(protocol_run_parse(msg, &back), 0);
	assert_memory_equal(&back, &a_run, sizeof(back));
	json_decref(msg);
}

/* A good request with one member replaced. */
static int parse_with(const char *key, json_t *value)
{
	json_t *msg = protocol_run_pack(&a_run);
	struct protocol_run back;
	int ret;

	json_object_set_new(msg, key, value);
	ret = protocol_run_parse(msg, &back);
	json_decref(msg);
	return ret;
}

static void test_malformed_requests_are_refused(void **state)
{
	char longer[200];

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(parse_with("type", json_string("ready")), -EPROTO);
	assert_int_equal(parse_with("family", json_integer(5)), -EPROTO);
	assert_int_equal(parse_with("flows", json_integer(0)), -EPROTO);
	assert_int_equal(parse_with("flows", json_integer(100000)), -EPROTO);
	assert_int_equal(parse_with("flows", json_string("3")), -EPROTO);
	assert_int_equal(parse_with("message_bytes", json_integer(-1)), -EPROTO);
	assert_int_equal(parse_with("message_bytes", json_integer(1 << 30)), -EPROTO);
	assert_int_equal(parse_with("test", json_string(longer)), -EPROTO);
	assert_int_equal(parse_with("data_address", json_string(longer)), -EPROTO);
	assert_int_equal(parse_with("clock_id", json_string(longer)), -EPROTO);
	assert_int_equal(parse_with("pps", json_real(-1)), -EPROTO);
	assert_int_equal(parse_with("message_bytes", json_integer(60000)), -EPROTO);
}

static void test_counts_are_exact_past_2_to_53(void **state)
{
	static struct protocol_result a, b;
	static struct protocol_end c, d;
	json_t *msg;

	(void)state;
	a.flows = 2;
	a.cpu = (struct result_cpu){ true, 1.5, 4 };
	a.counts[1] = (struct receiver_counts){ (1ULL << 53) + 1, (1ULL << 60) + 3, 5, 7, 11, 13,
						17, -1, { true, true, 3, 4, 5, 6, 7 } };
	a.drops = (struct drops){ .receive_ring = 19, .checksum = 37 };
	a.reverse = (struct protocol_end){ .drops = { .queue = 1, .transmit_ring = 2 }, .refused = 3, .flows = 1 };
	a.reverse.sent[0] = (struct result_sent){ 0.25, 23, 29, 31 };
	msg = protocol_result_pack(&a);
	assert_int_equal(protocol_result_parse(msg, &b), 0);
	assert_memory_equal(&a, &b, sizeof(a));
	json_decref(msg);
	c.flows = 1;
	c.sent[0] = (struct result_sent){ 0.5, (1ULL << 60) + 3, (1ULL << 53) + 1, 2 };
	msg = protocol_end_pack(&c);
	assert_int_equal(protocol_end_parse(msg, &d), 0);
	assert_memory_equal(&c, &d, sizeof(c));
	json_decref(msg);
}

static void test_ready_needs_real_ports(void **state)
{
	static struct protocol_ready ready = { .nonce = 9, .flows = 1, .ports = { 5000 } }, back;
	json_t *msg = protocol_ready_pack(&ready);

	(void)state;
	assert_int_equal(protocol_ready_parse(msg, &back), 0);
	assert_int_equal(back.ports[0], 5000);
	json_array_append_new(json_object_get(msg, "ports"), json_integer(65536));
	assert_int_equal(protocol_ready_parse(msg, &back), -EPROTO);
	json_array_clear(json_object_get(msg, "ports"));
	assert_int_equal(protocol_ready_parse(msg, &back), -EPROTO);
	json_decref(msg);
}

static void test_channel_takes_objects_only(void **state)
{
	(void)state;
	assert_null(channel_parse("[1]", 3));
	assert_null(channel_parse("{\"a\":1", 6));
	assert_null(channel_parse("{\"a\":1,\"a\":2}", 13));
	assert_null(channel_parse("{}{}", 4));
}

/* Write raw bytes into one end of a connection, receive from the other. */
static int receive_raw(const void *bytes, size_t len)
{
	struct channel ch;
	json_t *msg = NULL;
	int fds[2], ret;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	assert_int_equal(write(fds[1], bytes, len), (ssize_t)len);
	close(fds[1]);
	ch = (struct channel){ .fd = fds[0] };
	ret = channel_recv(&ch, &msg, clock_now_ns() + NSEC_PER_SEC);
	json_decref(msg);
	channel_close(&ch);
	return ret;
}

static void test_length_is_capped_before_allocation(void **state)
{
	(void)state;
	assert_int_equal(receive_raw("\xff\xff\xff\xff{}", 6), -EPROTO);
	assert_int_equal(receive_raw("\0\0\0\0{}", 6), -EPROTO);
	assert_int_equal(receive_raw("\0\0\0\2{}", 6), 0);
	assert_int_equal(receive_raw("\0\0\0\3{}", 6), -ENODATA);
	assert_int_equal(receive_raw("\0\0", 2), -ENODATA);
}

/* What arrives of one message between two ends with these keys; the channels stay open. */
static int pass(struct channel *from, struct channel *to)
{
	json_t *msg = NULL;
	int ret;

	assert_int_equal(channel_send(from, json_pack("{s:i}", "a", 1), clock_now_ns() +
				      NSEC_PER_SEC), 0);
	ret = channel_recv(to, &msg, clock_now_ns() + NSEC_PER_SEC);
	if (!ret)
		assert_int_equal(channel_int(msg, "a", 0, 9, 0), 1);
	json_decref(msg);
	return ret;
}

static void test_keyed_messages_need_key_side_and_number(void **state)
{
	struct secret key, nonces[2] = { { "k" }, { "l" } };
	struct channel client, server;
	char a[SECRET_NONCE_TEXT_BYTES], b[SECRET_NONCE_TEXT_BYTES];
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	client = (struct channel){ .fd = fds[0] };
	server = (struct channel){ .fd = fds[1] };
	secret_nonce(a);
	secret_nonce(b);
	assert_true(secret_is_nonce(a) && strcmp(a, b));
	secret_derive(&nonces[0], a, b, &key);
	channel_set_key(&client, &key, false);
	channel_set_key(&server, &key, true);
	assert_int_equal(pass(&client, &server), 0);
	assert_int_equal(pass(&client, &server), 0);
	assert_int_equal(pass(&server, &client), 0);
	server.n_received--;	/* as if a message were repeated */
	assert_int_equal(pass(&client, &server), -EBADMSG);
	channel_set_key(&client, &key, true);	/* a server's message sent back to it */
	channel_set_key(&server, &key, true);
	assert_int_equal(pass(&client, &server), -EBADMSG);
	secret_derive(&nonces[1], a, b, &key);
	channel_set_key(&client, &key, false);
	assert_int_equal(pass(&client, &server), -EBADMSG);
	client.has_key = false;
	assert_int_equal(pass(&client, &server), -EBADMSG);
	channel_close(&client);
	channel_close(&server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_request_survives_the_wire),
		cmocka_unit_test(test_malformed_requests_are_refused),
		cmocka_unit_test(test_counts_are_exact_past_2_to_53),
		cmocka_unit_test(test_ready_needs_real_ports),
		cmocka_unit_test(test_channel_takes_objects_only),
		cmocka_unit_test(test_keyed_messages_need_key_side_and_number),
		cmocka_unit_test(test_length_is_capped_before_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
