/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that send a stream one way: a thin main and this small table over one engine. */
#ifndef UBENCH_STREAM_H
#define UBENCH_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct addr;
struct options;
struct options_test;
struct protocol_end;
struct protocol_result;
struct sender;
struct session_test;
struct ubench_result;

struct stream_ops {
	const struct options_test *test;
	bool is_byte_stream;
	bool is_request_response;	/* s->gaps_ns holds round trips */
	/* How the client receives when both directions run; NULL: one direction only. */
	const struct session_test *receiving;
	/*
	 * Connect s->fd to peer and choose s->loop and s->per_call; nonce, flow_id
	 * and message_bytes are set already. 0 or -errno.
	 */
	int (*open)(struct sender *s, const struct addr *peer, const struct options *opt);
	/* Bytes of the flow that count as sent so far, for interim results; NULL: s->bytes. */
	uint64_t (*progress)(const struct sender *s);
	/* No more data: told to the peer after the senders have stopped. May be NULL. */
	void (*shut)(struct sender *s);
	void (*report)(FILE *out, const struct ubench_result *r, int print_headers);
};

/* The whole command: options, iterations, report. Returns the exit code. */
int stream_main(const struct stream_ops *ops, int argc, char **argv);

/* One run into r, which is initialised; a failure is left in r->error. */
void stream_run(const struct stream_ops *ops, const struct options *opt, struct ubench_result *r);

#endif
