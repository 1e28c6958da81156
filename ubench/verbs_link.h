/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One side's device, queue pairs and paths, made in any of the ways that the two sides can find each other. */
#ifndef UBENCH_VERBS_LINK_H
#define UBENCH_VERBS_LINK_H

#include <stdint.h>

#include "addr.h"
#include "result.h"
#include "verbs_cm.h"
#include "verbs_device.h"
#include "verbs_endpoint.h"
#include "verbs_protocol.h"
#include "verbs_sender.h"

/*
 * Zeroed, then config, choice and way set by the owner, before the first
 * call. Each function below returns 0, or -EIO with *err explained;
 * verbs_link_close() undoes whatever was made.
 */
struct verbs_link {
	enum verbs_way way;
	struct verbs_device_choice choice;	/* VERBS_BY_DEVICE */
	struct verbs_endpoint_config config;
	uint64_t nonce;

	struct verbs_device dev;
	struct verbs_cm cm;
	struct verbs_endpoint ep;
	struct verbs_path paths[VERBS_MAX_QPS];	/* sender */
	struct ibv_ah *ah;			/* sender, VERBS_BY_DEVICE */
};

/*
 * Receiver, first step: what the sender needs to know. local is the address
 * that the data comes to.
 */
int verbs_link_listen(struct verbs_link *link, const struct addr *local, const struct addr *group,
		      struct verbs_setup *setup, struct result_error *err);
/* Receiver, second step: until all queue pairs are made. */
int verbs_link_accept(struct verbs_link *link, int64_t deadline_ns, struct result_error *err);

/*
 * Sender: all queue pairs with their paths. source is the local address to
 * leave from; peer that of the receiver's data, or the group.
 */
int verbs_link_connect(struct verbs_link *link, const struct addr *source, const struct addr *peer,
		       const struct verbs_setup *setup, int64_t deadline_ns,
		       struct result_error *err);

void verbs_link_close(struct verbs_link *link);

#endif
