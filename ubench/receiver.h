/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiving end of one UDP flow: a thread on a socket, counting each packet once. */
#ifndef UBENCH_RECEIVER_H
#define UBENCH_RECEIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "delay.h"
#include "result.h"
#include "seq.h"
#include "worker.h"

/* What one flow received. packets and bytes count each packet once. */
struct receiver_counts {
	uint64_t packets;
	uint64_t bytes;
	uint64_t duplicates;
	uint64_t out_of_order;
	uint64_t foreign;	/* other nonce or flow, or a number that was never sent */
	uint64_t socket_drops;	/* by a full socket buffer; at most, when the kernel joins packets */
	int64_t span_ns;	/* first to last arrival */
	int64_t jitter_ns;	/* RFC 3550, 6.4.1, over the stamped packets; -1: not known */
	struct result_delay delay;
};

struct receiver {
	/* Set by the owner before receiver_start(). */
	int fd;			/* bound, blocking, owned by the receiver from the start on */
	uint64_t nonce;
	uint32_t flow_id;
	bool is_sequenced;
	bool has_warmup;	/* drops before the first counted packet are not the run's */
	bool is_same_clock;	/* as the sender's send times */
	bool has_gro;		/* the socket joins packets */
	size_t message_bytes;
	struct worker worker;

	/* The owner's order: stop at so many packets; UINT64_MAX: not known yet. */
	_Atomic uint64_t expected;
	/* The thread's report while it runs. */
	_Atomic uint64_t unique;
	_Atomic int64_t last_arrival_ns;	/* of any packet of the flow, duplicates included */

	/* The thread's own, the owner's again after receiver_finish(). */
	struct seq_tracker seq;
	uint64_t bytes;
	uint64_t foreign;
	_Atomic uint32_t socket_drops_at_start;
	int64_t first_ns;
	int64_t last_ns;
	int64_t transit_ns;
	double jitter_ns;
	bool has_transit;
	struct delay delay;
	unsigned int most_joined;	/* packets that came joined into one; 0: none did */
	int error;		/* -errno that ended the thread early, or 0 */
};

/* Start the thread. 0 or -errno; on error the socket is closed as well. */
int receiver_start(struct receiver *r);

/*
 * The sender sent so many packets: wait until they are all here, or for a
 * silence of quiet_ns, at most max_ns; stop; count. counts->packets is never
 * above sent. Closes the socket and frees everything. 0 or the -errno that
 * ended the thread.
 */
int receiver_finish(struct receiver *r, uint64_t sent, int64_t quiet_ns, int64_t max_ns,
		    struct receiver_counts *counts);

/* Packets that the socket has dropped since the start, at any time before the finish. */
uint64_t receiver_socket_drops(const struct receiver *r);

/* Stop and free without counting; also fine after receiver_finish(). */
void receiver_abort(struct receiver *r);

#endif
