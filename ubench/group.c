// SPDX-License-Identifier: GPL-2.0-or-later
/* Further receivers of a multicast group, each a server with a control connection of its own. */
#include "group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "cmd.h"
#include "parse.h"
#include "wire.h"

static bool prepare_one(struct group_member *m, const char *host, const struct protocol_run *request,
			struct ubench_result *r)
{
	struct protocol_ready ready;

	m->client = (struct client){ .opt = &m->opt, .result = r, .control.fd = -1 };
	if (parse_host(host, m->opt.host, sizeof(m->opt.host), m->opt.device, sizeof(m->opt.device))) {
		result_set_error(r, UBENCH_EXIT_USAGE, "client", "not a host: %s", host);
		return false;
	}
	return client_connect(&m->client) && client_prepare(&m->client, request, &ready);
}

bool group_prepare(struct group *g, const struct options *opt, const struct protocol_run *request,
		   const struct protocol_ready *ready, struct ubench_result *r)
{
	struct protocol_run same = *request;
	unsigned int i;

	if (!opt->n_receivers)
		return true;
	g->members = calloc(opt->n_receivers, sizeof(*g->members));
	if (!g->members) {
		result_set_error(r, UBENCH_EXIT_FAILED, "client", "out of memory");
		return false;
	}
	/* One stream of packets is for all of them. */
	same.nonce = ready->nonce;
	same.data_port = ready->ports[0];
	same.progress_ms = 0;
	for (i = 0; i < opt->n_receivers; i++) {
		g->members[i].opt = *opt;
		g->n++;
		if (!prepare_one(&g->members[i], opt->receivers[i], &same, r))
			return false;
	}
	return true;
}

static void list(struct ubench_result *r, const char *host, const struct ubench_result *seen)
{
	struct result_receiver entry = { .received = seen->received, .loss = seen->loss };

	snprintf(entry.host, sizeof(entry.host), "%.127s", host);
	if (result_add_receiver(r, &entry))
		result_set_error(r, UBENCH_EXIT_FAILED, "client", "out of memory");
}

/* What one receiver saw of r's streams, into seen, which is initialised. */
static void account_one(struct ubench_result *seen, const struct ubench_result *r,
			const struct protocol_end *end, const struct protocol_result *counts)
{
	const struct drops drops = drops_join(&end->drops, &counts->drops);
	uint64_t socket_drops = 0;
	size_t i;

	for (i = 0; i < r->n_streams; i++) {
		struct result_stream stream = r->streams[i];

		account_stream(&stream, &counts->counts[i],
			       r->message_bytes < WIRE_HEADER_BYTES ? ACCOUNT_SHORT : ACCOUNT_NUMBERED);
		socket_drops += counts->counts[i].socket_drops;
		if (result_add_stream(seen, &stream))
			return;
	}
	account_sum(seen, socket_drops, &drops, end->refused);
}

static void take_if_worse(struct ubench_result *r, const struct ubench_result *seen)
{
	if (r->received.is_known && seen->received.lost_packets <= r->received.lost_packets)
		return;
	r->received = seen->received;
	r->loss = seen->loss;
	r->fairness = seen->fairness;
	memcpy(r->streams, seen->streams, r->n_streams * sizeof(*r->streams));
}

void group_finish(struct group *g, const char *host, const struct protocol_end *end,
		  struct ubench_result *r)
{
	static struct protocol_result counts;
	struct ubench_result seen;
	unsigned int i;

	if (g->n && r->received.is_known)
		list(r, host, r);
	for (i = 0; i < g->n; i++) {
		struct group_member *m = &g->members[i];

		if (!client_finish(&m->client, end, &counts))
			continue;
		result_init(&seen, r->test);
		account_one(&seen, r, end, &counts);
		if (seen.n_streams == r->n_streams) {
			list(r, m->opt.host, &seen);
			take_if_worse(r, &seen);
		}
		result_free(&seen);
	}
}

void group_free(struct group *g)
{
	unsigned int i;

	for (i = 0; i < g->n; i++)
		channel_close(&g->members[i].client.control);
	free(g->members);
	*g = (struct group){ 0 };
}
