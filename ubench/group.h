/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Further receivers of a multicast group, each a server with a control connection of its own. */
#ifndef UBENCH_GROUP_H
#define UBENCH_GROUP_H

#include <stdbool.h>

#include "client.h"
#include "options.h"
#include "result.h"

struct group_member {
	struct options opt;		/* the run's, with this member's host */
	struct client client;
};

struct group {
	struct group_member *members;	/* n of them, or NULL */
	unsigned int n;
};

/*
 * Have each further receiver of opt join as the first one did, which
 * answered with ready to request. False with the error in r.
 */
bool group_prepare(struct group *g, const struct options *opt, const struct protocol_run *request,
		   const struct protocol_ready *ready, struct ubench_result *r);

/*
 * r holds the account of the first receiver, on host: list it, then ask each further
 * one and list it too; the worst one's figures become r's. A receiver that is
 * gone leaves its reason in r.
 */
void group_finish(struct group *g, const char *host, const struct protocol_end *end,
		  struct ubench_result *r);

void group_free(struct group *g);

#endif
