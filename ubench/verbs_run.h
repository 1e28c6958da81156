/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a VERBS_UD run holds at the sender, and how it comes to face its receivers. */
#ifndef UBENCH_VERBS_RUN_H
#define UBENCH_VERBS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "client.h"
#include "interim.h"
#include "result.h"
#include "verbs_async.h"
#include "verbs_link.h"
#include "verbs_options.h"
#include "verbs_protocol.h"
#include "verbs_sender.h"

struct json_t;

/* One server that receives. */
struct verbs_peer {
	struct options opt;	/* the global ones, with this server's host */
	struct client client;
	struct verbs_setup setup;
};

struct verbs_run {
	struct verbs_options opt;
	struct ubench_result result;
	unsigned int n_peers;
	struct verbs_peer peers[VERBS_MAX_RECEIVERS + 1];
	struct verbs_outcome outcomes[VERBS_MAX_RECEIVERS + 1];
	uint64_t nonce;
	struct addr source;	/* local address of the data, or that of the control connection */
	struct verbs_link link;
	struct verbs_sender sender;
	struct verbs_async async;
	struct json_t *counters_before;
	int done_fd;
	int controls_fd;	/* epoll of the control connections */
	struct interim interim;
};

/* Note the first error of the run, with the text of the positive errno value error. Always false. */
bool verbs_run_fail(struct verbs_run *run, const char *where, const char *doing, int error);
/* Note an error that verbs code explained, if it did. Always false. */
bool verbs_run_take_error(struct verbs_run *run, const struct result_error *err);

/*
 * Connect to every server, agree on the run, and make the queue pairs with
 * their paths. False after the reason went into run->result; what was made
 * until then is in *run.
 */
bool verbs_run_prepare(struct verbs_run *run);

#endif
