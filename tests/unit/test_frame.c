// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames between a command in the guest and its caller: whole, in pieces, after a broken session, and impossible ones.
 */
#include "../../lab/agent/frame.c"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct seen {
	int frames;
	enum frame_type type;
	size_t len;
	uint8_t payload[FRAME_PAYLOAD];
};

static int remember(void *context, enum frame_type type, const uint8_t *payload, size_t len)
{
	struct seen *seen = context;

	seen->frames++;
	seen->type = type;
	seen->len = len;
	memcpy(seen->payload, payload, len);
	return type == FRAME_EXIT ? 7 : 0;
}

/* What frame_send() and frame_fill() write, read back from a pipe. */
static size_t sent(int (*send)(int fd), uint8_t *data, size_t size)
{
	int ends[2];
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(send(ends[1]), 0);
	close(ends[1]);
	n = read(ends[0], data, size);
	close(ends[0]);
	return n;
}

static int send_output(int fd)
{
	return frame_send(fd, FRAME_STDOUT, "a line\n", 7);
}

static int send_two(int fd)
{
	return frame_send(fd, FRAME_WANT, NULL, 0) ?: frame_send(fd, FRAME_EXIT, "\x03", 1);
}

static void test_frame_in_pieces_of_any_size_arrives_once(void **state)
{
	uint8_t data[64];
	size_t len = sent(send_output, data, sizeof(data)), piece;

	(void)state;
	for (piece = 1; piece <= len; piece++) {
		struct frame_parser parser = { 0 };
		struct seen seen = { 0 };
		size_t at;

		for (at = 0; at < len; at += piece) {
			size_t n = len - at < piece ? len - at : piece;

			assert_int_equal(frame_feed(&parser, data + at, n, remember, &seen), 0);
		}
		assert_int_equal(seen.frames, 1);
		assert_int_equal(seen.type, FRAME_STDOUT);
		assert_memory_equal(seen.payload, "a line\n", seen.len);
	}
}

static void test_empty_frame_and_its_successor_are_two(void **state)
{
	struct frame_parser parser = { 0 };
	struct seen seen = { 0 };
	uint8_t data[64];
	size_t len = sent(send_two, data, sizeof(data));

	(void)state;
	/* The handler's answer to the last one is handed on. */
	assert_int_equal(frame_feed(&parser, data, len, remember, &seen), 7);
	assert_int_equal(seen.frames, 2);
	assert_int_equal(seen.payload[0], 3);
}

static void test_fill_ends_a_frame_that_was_cut_anywhere(void **state)
{
	static uint8_t whole[FRAME_FILL], fill[2 * FRAME_FILL];
	uint8_t next[64];
	size_t fill_len = sent(frame_fill, fill, sizeof(fill)), next_len = sent(send_output, next, sizeof(next)), cut;

	(void)state;
	memset(whole, 'x', sizeof(whole));
	memcpy(whole, (uint8_t[]){ FRAME_RUN, FRAME_PAYLOAD & 255, FRAME_PAYLOAD >> 8, 0, 0 }, FRAME_HEADER);
	for (cut = 0; cut < sizeof(whole); cut += cut < 8 ? 1 : 4093) {
		struct frame_parser parser = { 0 };
		struct seen seen = { 0 };

		frame_feed(&parser, whole, cut, remember, &seen);
		assert_int_equal(frame_feed(&parser, fill, fill_len, remember, &seen), 0);
		/* What was cut has not the last byte of a whole command. */
		assert_true(seen.frames == 0 || seen.len == 0 || seen.payload[seen.len - 1] == 0);
		assert_int_equal(frame_feed(&parser, next, next_len, remember, &seen), 0);
		assert_int_equal(seen.type, FRAME_STDOUT);
		assert_int_equal(seen.len, 7);
	}
}

static void test_impossible_frames_are_refused(void **state)
{
	static const uint8_t impossible[][FRAME_HEADER] = {
		{ FRAME_LAST + 1, 0, 0, 0, 0 },
		{ FRAME_STDOUT, 1, FRAME_PAYLOAD >> 8, 0, 0 },
		{ FRAME_STDOUT, 0, 0, 0, 128 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		struct frame_parser parser = { 0 };
		struct seen seen = { 0 };

		assert_int_equal(frame_feed(&parser, impossible[i], FRAME_HEADER, remember, &seen), -EPROTO);
		assert_int_equal(seen.frames, 0);
	}
	assert_int_equal(frame_send(-1, FRAME_STDOUT, impossible, FRAME_PAYLOAD + 1), -EMSGSIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame_in_pieces_of_any_size_arrives_once),
		cmocka_unit_test(test_empty_frame_and_its_successor_are_two),
		cmocka_unit_test(test_fill_ends_a_frame_that_was_cut_anywhere),
		cmocka_unit_test(test_impossible_frames_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
