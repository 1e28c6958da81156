// SPDX-License-Identifier: GPL-2.0-or-later
/* Accounting for every packet: joins what was sent and what arrived. Pure. */
#include "account.h"

#include <math.h>
#include <string.h>

#include "drops.h"
#include "receiver.h"
#include "result.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void account_stream(struct result_stream *stream, const struct receiver_counts *counts,
		    enum account_kind kind)
{
	uint64_t packets = kind == ACCOUNT_BYTES ? stream->sent.packets :
						   min_u64(counts->packets, stream->sent.packets);

	stream->received = (struct result_received){
		.is_known = true,
		.is_sequenced = kind == ACCOUNT_NUMBERED,
		.is_byte_stream = kind == ACCOUNT_BYTES,
		.seconds = fmax(stream->sent.seconds, 1e-9 * (double)counts->span_ns),
		.bytes = counts->bytes,
		.packets = packets,
		.lost_packets = stream->sent.packets - packets,
		.duplicates = counts->duplicates,
		.out_of_order = counts->out_of_order,
		.foreign = counts->foreign,
		.jitter_ms = counts->jitter_ns < 0 ? NAN : 1e-6 * (double)counts->jitter_ns,
	};
	stream->delay = counts->delay;
}

/* Flows run side by side: the longest is the whole. */
static void add_stream(struct ubench_result *r, const struct result_stream *stream)
{
	const struct result_received *rx = &stream->received;

	result_sent_add(&r->sent, &stream->sent);
	r->sent.seconds = fmax(r->sent.seconds, stream->sent.seconds);
	if (!rx->is_known)
		return;
	result_received_add(&r->received, rx);
	r->received.is_known = true;
	r->received.is_sequenced = rx->is_sequenced;
	r->received.is_byte_stream = rx->is_byte_stream;
	r->received.seconds = fmax(r->received.seconds, rx->seconds);
	r->received.jitter_ms += rx->jitter_ms;
}

/* (sum x)^2 / (n * sum x^2): 1 when all are equal, 1/n when one has it all. */
static double jain(const struct ubench_result *r)
{
	double sum = 0, squares = 0;
	size_t i;

	for (i = 0; i < r->n_streams; i++) {
		const struct result_received *rx = &r->streams[i].received;
		double rate = result_rate(rx->bytes, rx->seconds);

		sum += rate;
		squares += rate * rate;
	}
	return r->n_streams > 1 && squares > 0 ? sum * sum / ((double)r->n_streams * squares) : NAN;
}

/* At most so many of the lost packets went this way. */
static uint64_t take(uint64_t *lost, uint64_t bound)
{
	uint64_t part = min_u64(*lost, bound);

	*lost -= part;
	return part;
}

void account_sum(struct ubench_result *r, uint64_t socket_drops, const struct drops *drops,
		 uint64_t refused)
{
	uint64_t lost;
	size_t i;

	memset(&r->sent, 0, sizeof(r->sent));
	memset(&r->received, 0, sizeof(r->received));
	for (i = 0; i < r->n_streams; i++)
		add_stream(r, &r->streams[i]);
	/* The mean over the flows; not known as soon as one is not. */
	r->received.jitter_ms = r->n_streams ? r->received.jitter_ms / (double)r->n_streams : NAN;
	r->fairness = jain(r);
	lost = r->received.lost_packets;
	/* The kernel counts wrong checksums among the socket's drops. */
	r->loss = (struct result_loss){ .receive_checksum = take(&lost, min_u64(drops->checksum,
										 socket_drops)) };
	r->loss.receive_socket = take(&lost, socket_drops - r->loss.receive_checksum);
	r->loss.sender_queue = take(&lost, drops->queue - min_u64(refused, drops->queue));
	r->loss.transmit_ring = take(&lost, drops->transmit_ring);
	r->loss.receive_ring = take(&lost, drops->receive_ring);
	r->loss.unknown = lost;
}
