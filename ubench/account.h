/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accounting for every packet: joins what was sent and what arrived. Pure. */
#ifndef UBENCH_ACCOUNT_H
#define UBENCH_ACCOUNT_H

#include <stdint.h>

struct drops;
struct receiver_counts;
struct result_stream;
struct ubench_result;

enum account_kind {
	ACCOUNT_NUMBERED,	/* packets with sequence numbers */
	ACCOUNT_SHORT,		/* packets too short for them */
	ACCOUNT_BYTES,		/* a byte stream */
};

/*
 * Fill stream->received from the receiver's counts and stream->sent, so that
 * packets + lost_packets == sent.packets.
 */
void account_stream(struct result_stream *stream, const struct receiver_counts *counts,
		    enum account_kind kind);

/*
 * Sum r->streams into r->sent and r->received (seconds: the longest) and
 * split the lost packets by cause. socket_drops and drops, where the packets
 * of others may be in, are upper bounds; what they do not explain is
 * unknown. Packets that the queue refused with an error are in drops->queue,
 * but were not sent: refused of them are left out. With several streams
 * received, fairness becomes Jain's index over their rates. With no stream
 * received, received stays unknown.
 */
void account_sum(struct ubench_result *r, uint64_t socket_drops, const struct drops *drops,
		 uint64_t refused);

#endif
