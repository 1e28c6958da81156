/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiving side of a VERBS_UD run: counts what arrives, and never waits for a number of packets. */
#ifndef UBENCH_VERBS_RECEIVER_H
#define UBENCH_VERBS_RECEIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "result.h"
#include "seq.h"
#include "verbs_endpoint.h"
#include "worker.h"

struct verbs_repost;

struct verbs_receiver_config {
	uint64_t nonce;
	uint32_t message_bytes;
	uint32_t flows;
};

/* What arrived of one flow. */
struct verbs_arrivals {
	struct seq_tracker seq;	/* only unique and implausible for messages too short for a number */
	int64_t transit_ns;
	double jitter_ns;
	bool has_transit;
};

struct verbs_receiver {
	struct worker worker;
	struct verbs_endpoint *ep;	/* not owned */
	struct verbs_receiver_config config;
	bool is_sequenced;		/* messages hold a header */
	struct verbs_repost *reposts;	/* one per queue pair */
	struct verbs_arrivals *flows;
	_Atomic uint64_t unique;	/* packets of the run, each once */
	_Atomic int64_t last_ns;	/* arrival of the latest; 0: none yet */
	/* The thread's own, the owner's after verbs_receiver_finish(). */
	int64_t first_ns;
	uint64_t foreign;		/* other nonce, flow or length */
	uint64_t completions;
	struct result_error error;
};

/* Post every receive buffer. 0, or -EIO with *err explained. ep's queue pairs are all there. */
int verbs_receiver_init(struct verbs_receiver *r, struct verbs_endpoint *ep,
			const struct verbs_receiver_config *config, struct result_error *err);
void verbs_receiver_free(struct verbs_receiver *r);

/* Set worker.cpu and node before. 0 or -errno. */
int verbs_receiver_start(struct verbs_receiver *r);

/*
 * All senders are done, after sent packets: let the rest arrive until all are
 * here, nothing came for quiet_ns, or max_ns passed; then stop.
 */
void verbs_receiver_finish(struct verbs_receiver *r, uint64_t sent, int64_t quiet_ns, int64_t max_ns);

/* After the finish: account for a flow of which the sender sent so many. packets + lost == sent. */
void verbs_receiver_count(struct verbs_receiver *r, uint32_t flow, uint64_t sent,
			  struct result_received *out);

#endif
