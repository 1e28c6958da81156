/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sending end of one UDP flow: a thread that sends as fast as the socket takes packets. */
#ifndef UBENCH_SENDER_H
#define UBENCH_SENDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker.h"

struct sender {
	/* Set by the owner before sender_start(). */
	int fd;			/* connected, blocking; stays the owner's */
	uint64_t nonce;
	uint32_t flow_id;
	size_t message_bytes;	/* below WIRE_HEADER_BYTES: packets without a number */
	uint64_t limit;		/* packets to send; UINT64_MAX: until stopped */
	struct worker worker;

	/* The thread's report, also while it runs; written by it alone. */
	_Atomic uint64_t packets __attribute__((aligned(64)));	/* successful sends */
	_Atomic uint64_t errors;	/* failed sends */
	_Atomic int last_error;		/* errno of the last failed send, or 0 */

	/* Valid when the worker is done. */
	int64_t start_ns;
	int64_t end_ns;
	int fatal_error;	/* errno that ended the thread early, or 0 */
};

/*
 * Ask for errors that UDP otherwise hides (IP_RECVERR, IPV6_RECVERR): without
 * it a packet that the local queue dropped counts as sent. 0 or -errno.
 */
int sender_want_errors(int fd, int family);

/* 0 or -errno. End it with worker_stop(&s->worker). */
int sender_start(struct sender *s);

#endif
