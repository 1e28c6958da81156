/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of a VERBS_UD run over the control connection, after the hello:
 *   client: run       server: setup     (client: rdma_cm requests)     server: ready
 *   ... data packets ...
 *   client: end       server: result
 * An "error" message from the server can stand in for any of its own.
 * Packing returns a new reference or NULL; parsing is pure, trusts nothing
 * and returns 0 or -EPROTO.
 */
#ifndef UBENCH_VERBS_PROTOCOL_H
#define UBENCH_VERBS_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"
#include "verbs_counters.h"
#include "verbs_device.h"
#include "verbs_endpoint.h"

struct json_t;

#define VERBS_TEST_NAME "VERBS_UD"
#define VERBS_MAX_MESSAGE 65536u

enum verbs_way {
	VERBS_BY_CM,		/* rdma_cm looks up the server's queue pairs */
	VERBS_BY_DEVICE,	/* queue pair numbers and addresses in the setup message */
	VERBS_BY_GROUP		/* a multicast group, joined by rdma_cm */
};

/* What the client wants the server to set up. */
struct verbs_request {
	char host[128];			/* the client's name, for the server's report */
	enum verbs_way way;
	char address[80];		/* numeric, of the data; "": where the control connection arrives */
	char group[80];			/* numeric, for VERBS_BY_GROUP */
	uint64_t nonce;			/* of the run, 63 bits */
	uint32_t flows;
	uint32_t message_bytes;
	uint32_t recv_depth;
	bool uses_events;
	struct verbs_device_choice device;	/* for VERBS_BY_DEVICE */
	uint16_t moderation_count;
	uint16_t moderation_usecs;
	long cpu;			/* or AFFINITY_ANY */
};

/* Where to find the server's queue pairs. */
struct verbs_setup {
	uint16_t cm_port;		/* for VERBS_BY_CM */
	/* for VERBS_BY_DEVICE: */
	uint32_t n_qps;
	uint32_t qpns[VERBS_MAX_QPS];
	uint32_t qkey;
	uint16_t lid;
	union ibv_gid gid;
	bool is_ethernet;
	uint32_t mtu_bytes;
};

/* The sender's side of the account. */
struct verbs_end {
	uint32_t flows;
	uint64_t sent[VERBS_MAX_QPS];
};

/* The receiver's side. */
struct verbs_outcome {
	uint32_t flows;
	struct result_received received[VERBS_MAX_QPS];
	uint64_t foreign;
	uint64_t completions;
	uint64_t events;
	struct verbs_drops drops;
	struct json_t *device;		/* description and counters of the port; owned, may be NULL */
};

struct json_t *verbs_request_pack(const struct verbs_request *request);
int verbs_request_parse(const struct json_t *msg, struct verbs_request *request);
struct json_t *verbs_setup_pack(const struct verbs_setup *setup);
int verbs_setup_parse(const struct json_t *msg, struct verbs_setup *setup);
struct json_t *verbs_ready_pack(void);
struct json_t *verbs_end_pack(const struct verbs_end *end);
int verbs_end_parse(const struct json_t *msg, struct verbs_end *end);
struct json_t *verbs_outcome_pack(const struct verbs_outcome *outcome);
/* outcome->device is a new reference afterwards, or NULL. */
int verbs_outcome_parse(const struct json_t *msg, struct verbs_outcome *outcome);

#endif
