/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiving end of one TCP flow: a thread that accepts the flow's connection and counts its bytes. */
#ifndef UBENCH_TCP_RECEIVER_H
#define UBENCH_TCP_RECEIVER_H

#include <stdint.h>

#include "worker.h"

struct receiver_counts;

struct tcp_receiver {
	/* Set by the owner before tcp_receiver_start(). */
	int listen_fd;		/* owned from the start on; -1: the connection is there */
	int fd;			/* that connection, owned from the start on; else -1 */
	uint64_t nonce;
	uint32_t flow_id;
	struct worker worker;

	/* The thread's report while it runs. */
	atomic_bool is_connected;	/* fd is there */
	_Atomic uint64_t bytes;

	/* The thread's own until it is done. */
	uint64_t foreign;	/* connections that did not name the flow */
	int64_t first_ns, last_ns;
	int error;		/* -errno of the connection, or 0 */
};

/* 0 or -errno; on error the socket is closed as well. */
int tcp_receiver_start(struct tcp_receiver *r);

/* Wait at most max_ns for the end of the stream, then stop and count bytes, foreign and span. */
void tcp_receiver_finish(struct tcp_receiver *r, int64_t max_ns, struct receiver_counts *counts);

/* Stop and free without counting; also fine after tcp_receiver_finish(). */
void tcp_receiver_abort(struct tcp_receiver *r);

#endif
