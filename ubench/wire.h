/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header at the front of every data packet. */
#ifndef UBENCH_WIRE_H
#define UBENCH_WIRE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * All fields are big endian. send_time_ns is the sender's CLOCK_MONOTONIC, or
 * 0 for a packet without a stamp: to read the clock for each packet would
 * cost more than the packet's own bookkeeping.
 */
struct wire_header {
	uint64_t nonce;		/* of the run; packets with another are foreign */
	uint64_t sequence;
	uint64_t send_time_ns;
	uint32_t flow_id;
	uint32_t reserved;
};

#define WIRE_HEADER_BYTES sizeof(struct wire_header)
/* In flow_id: a packet of the warm-up, which nobody counts. */
#define WIRE_WARMUP 0x80000000u

/* Fill the parts that stay the same for a flow; buf may be shorter than the header. */
static inline void wire_prepare(void *buf, size_t len, uint64_t nonce, uint32_t flow_id)
{
	struct wire_header h = { .nonce = htobe64(nonce), .flow_id = htobe32(flow_id) };

	memcpy(buf, &h, len < sizeof(h) ? len : sizeof(h));
}

/* buf holds at least WIRE_HEADER_BYTES. */
static inline void wire_set_sequence(void *buf, uint64_t sequence)
{
	sequence = htobe64(sequence);
	memcpy((char *)buf + offsetof(struct wire_header, sequence), &sequence, sizeof(sequence));
}

static inline void wire_set_time(void *buf, uint64_t send_time_ns)
{
	send_time_ns = htobe64(send_time_ns);
	memcpy((char *)buf + offsetof(struct wire_header, send_time_ns), &send_time_ns,
	       sizeof(send_time_ns));
}

/* As wire_set_time() to "no stamp", for a message of any length. */
static inline void wire_clear_time(void *buf, size_t len)
{
	if (len >= WIRE_HEADER_BYTES)
		wire_set_time(buf, 0);
}

/* Host-order copy of the header at buf; false when len is too short for one. */
static inline bool wire_parse(const void *buf, size_t len, struct wire_header *h)
{
	if (len < sizeof(*h))
		return false;
	memcpy(h, buf, sizeof(*h));
	h->nonce = be64toh(h->nonce);
	h->sequence = be64toh(h->sequence);
	h->send_time_ns = be64toh(h->send_time_ns);
	h->flow_id = be32toh(h->flow_id);
	return true;
}

/* Whether a packet too short for the header opens with the nonce's first bytes. */
static inline bool wire_is_ours_short(const void *buf, size_t len, uint64_t nonce)
{
	nonce = htobe64(nonce);
	return !memcmp(buf, &nonce, len < sizeof(nonce) ? len : sizeof(nonce));
}

#endif
