// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiver thread on a loopback socket: what it counts, and that it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <asm/types.h>	/* the shim of kernel headers hides linux/types.h */
#include <cmocka.h>

#include "../../ubench/affinity.c"
#include "../../ubench/delay.c"
#include "../../ubench/hist.c"
#include "../../ubench/packet_batch.c"
#include "../../ubench/receiver.c"
#include "../../ubench/addr.c"
#include "../../ubench/seq.c"
#include "../../ubench/socket.c"
#include "../../ubench/worker.c"

#define NONCE 0x1122334455667788
#define QUIET_NS (50 * NSEC_PER_MSEC)

/* A started receiver and a socket connected to it. */
static int open_flow(struct receiver *r, size_t message_bytes)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	worker_init();
	memset(r, 0, sizeof(*r));
	r->fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(bind(r->fd, (struct sockaddr *)&a, len), 0);
	assert_int_equal(getsockname(r->fd, (struct sockaddr *)&a, &len), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, len), 0);
	r->nonce = NONCE;
	r->flow_id = 2;
	r->message_bytes = message_bytes;
	r->is_sequenced = message_bytes >= WIRE_HEADER_BYTES;
	r->worker.cpu = AFFINITY_ANY;
	r->worker.node = -1;
	assert_int_equal(receiver_start(r), 0);
	return fd;
}

static void send_number(int fd, uint64_t nonce, uint32_t flow_id, uint64_t sequence, size_t len)
{
	char data[200] = { 0 };

	wire_prepare(data, sizeof(data), nonce, flow_id);
	wire_set_sequence(data, sequence);
	assert_int_equal(send(fd, data, len, 0), (ssize_t)len);
}

static void test_only_packets_of_the_flow_are_counted(void **state)
{
	struct receiver_counts counts;
	struct receiver r;
	int fd = open_flow(&r, 100);

	(void)state;
	send_number(fd, NONCE, 2, 0, 100);
	send_number(fd, NONCE, 2, 2, 100);
	send_number(fd, NONCE, 2, 1, 100);
	send_number(fd, NONCE, 2, 2, 100);
	send_number(fd, NONCE + 1, 2, 3, 100);
	send_number(fd, NONCE, 1, 3, 100);
	send_number(fd, NONCE, 2, 3, 99);
	send_number(fd, NONCE, 2, 3, 200);
	send_number(fd, NONCE, 2, 900, 100);
	assert_int_equal(receiver_finish(&r, 5, QUIET_NS, NSEC_PER_SEC, &counts), 0);
	assert_int_equal(counts.packets, 3);
	assert_int_equal(counts.bytes, 300);
	assert_int_equal(counts.duplicates, 1);
	assert_int_equal(counts.out_of_order, 1);
	assert_int_equal(counts.foreign, 5);
	close(fd);
}

static void test_short_packets_are_counted_without_numbers(void **state)
{
	struct receiver_counts counts;
	struct receiver r;
	int fd = open_flow(&r, 4);

	(void)state;
	send_number(fd, NONCE, 2, 0, 4);
	send_number(fd, NONCE, 2, 0, 4);
	send_number(fd, ~NONCE, 2, 0, 4);
	assert_int_equal(receiver_finish(&r, 9, QUIET_NS, NSEC_PER_SEC, &counts), 0);
	assert_int_equal(counts.packets, 2);
	assert_int_equal(counts.foreign, 1);
	close(fd);
}

static void test_drops_of_a_full_socket_are_seen_after_the_last_packet(void **state)
{
	struct receiver_counts counts;
	struct receiver r;
	int fd = open_flow(&r, 100), small = 1, i;

	(void)state;
	setsockopt(r.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	/* The thread stands still, so that what does not fit is dropped. */
	worker_stop(&r.worker);
	for (i = 0; i < 100; i++)
		send_number(fd, NONCE, 2, (uint64_t)i, 100);
	assert_int_equal(receiver_finish(&r, 100, QUIET_NS, NSEC_PER_SEC, &counts), 0);
	assert_in_range(counts.socket_drops, 50, 100);
	close(fd);
}

static void test_finish_without_a_packet_ends_after_the_quiet_time(void **state)
{
	struct receiver_counts counts;
	struct receiver r;
	int fd = open_flow(&r, 100);
	int64_t start_ns = clock_now_ns();

	(void)state;
	assert_int_equal(receiver_finish(&r, 10, QUIET_NS, NSEC_PER_SEC, &counts), 0);
	assert_true(clock_now_ns() - start_ns >= QUIET_NS);
	assert_int_equal(counts.packets, 0);
	assert_int_equal(counts.jitter_ns, -1);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_packets_of_the_flow_are_counted),
		cmocka_unit_test(test_short_packets_are_counted_without_numbers),
		cmocka_unit_test(test_drops_of_a_full_socket_are_seen_after_the_last_packet),
		cmocka_unit_test(test_finish_without_a_packet_ends_after_the_quiet_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
