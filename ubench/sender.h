/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sending end of one flow: a thread that sends as fast as the socket takes packets. */
#ifndef UBENCH_SENDER_H
#define UBENCH_SENDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist.h"
#include "result.h"
#include "worker.h"
#include "zerocopy.h"

/* Largest --batch; one system call never carries more. */
#define SENDER_MAX_BATCH 1024u
/* Largest --gso: UDP_MAX_SEGMENTS of the kernels up to 6.8; later ones take more. */
#define SENDER_MAX_GSO 64

struct sender {
	/* Set by the owner before sender_start(). */
	int fd;			/* connected, blocking; stays the owner's */
	uint64_t nonce;
	uint32_t flow_id;
	size_t message_bytes;	/* UDP below WIRE_HEADER_BYTES: packets without a number */
	uint64_t limit;		/* packets to send; UINT64_MAX: until stopped */
	unsigned int per_call;	/* messages of one system call, where the loop can; at least 1 */
	double pps;		/* pace; 0: none */
	size_t response_bytes;	/* UDP_RR */
	bool is_byte_stream;	/* the loop counts bytes by itself */
	bool has_warmup;	/* send uncounted packets until sender_end_warmup() */
	/*
	 * One of the send_*() loops; data holds the messages of one system call, with
	 * zerocopy of ZEROCOPY_SLOTS, their headers prepared.
	 */
	void (*loop)(struct sender *s, char *data);
	struct worker worker;

	/* The owner's order to leave the loop. */
	atomic_bool should_halt __attribute__((aligned(64)));

	/* The thread's report, also while it runs; written by it alone. */
	_Atomic uint64_t packets __attribute__((aligned(64)));	/* successful sends */
	_Atomic uint64_t bytes;		/* of a byte stream; else see sender_bytes() */
	_Atomic uint64_t errors;	/* failed sends */
	_Atomic uint64_t refused;	/* of which by a full queue */
	_Atomic int last_error;		/* errno of the last failed send, or 0 */

	/* Valid when the worker is done. */
	int64_t start_ns;
	int64_t end_ns;
	uint64_t warmup_bytes;
	int fatal_error;	/* errno that ended the thread early, or 0 */
	struct hist gaps_ns;	/* between sends, with a pace; round trips of UDP_RR */
	struct zerocopy zerocopy;

	/* A streak of failed sends. */
	uint64_t trouble_packets;	/* sent when it began */
	int64_t trouble_since_ns;
	long pause_ns;
};

/* 0 or -errno. End it with sender_halt() and worker_join(&s->worker). */
int sender_start(struct sender *s);

/* The counted part begins: counters, clock and sequence numbers start at 0. */
void sender_end_warmup(struct sender *s);

/* Ask the thread to end; worker_join() waits for it. */
void sender_halt(struct sender *s);

/* For the loops: whether to go on. */
static inline bool sender_goes_on(const struct sender *s, uint64_t sent)
{
	return sent < s->limit &&
	       !atomic_load_explicit(&s->should_halt, memory_order_relaxed);
}

/* For the loops: publish progress. */
static inline void sender_count(struct sender *s, uint64_t packets)
{
	atomic_store_explicit(&s->packets, packets, memory_order_relaxed);
}

/* Bytes sent so far; from any thread. */
static inline uint64_t sender_bytes(const struct sender *s)
{
	if (s->is_byte_stream)
		return atomic_load_explicit(&s->bytes, memory_order_relaxed);
	return atomic_load_explicit(&s->packets, memory_order_relaxed) * s->message_bytes;
}

/* What was sent so far; seconds stay 0. From any thread. */
struct result_sent sender_sent(const struct sender *s);

/* For the loops: empty the socket's queue of reports; zerocopy's are taken, the others' errors are known. */
void sender_take_reports(struct sender *s);

/* Percentiles of s->gaps_ns, once the thread is done. */
struct result_gaps sender_gaps(const struct sender *s);

/*
 * For the loops: after a failed send of count packets, count them and leave
 * the CPU to who must empty the queue, longer with each failure in a row.
 * False: the thread must end.
 */
bool sender_survives(struct sender *s, int error, unsigned int count);

#endif
