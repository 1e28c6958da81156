/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client's half of the control protocol. Failures go into the result, with a reason. */
#ifndef UBENCH_CLIENT_H
#define UBENCH_CLIENT_H

#include <stdbool.h>

#include "addr.h"
#include "channel.h"
#include "protocol.h"

struct options;
struct ubench_result;

struct client {
	const struct options *opt;
	struct ubench_result *result;	/* gets the error of a failed call */
	struct channel control;		/* fd -1 when not connected */
	struct addr peer;		/* the server, as connected */
};

/* Each returns false after it has put an error into c->result. */
bool client_connect(struct client *c);
bool client_prepare(struct client *c, const struct protocol_run *run, struct protocol_ready *ready);
bool client_finish(struct client *c, const struct protocol_end *end,
		   struct protocol_result *result);

/* For tests with messages of their own; doing is for the error's text. client_send() takes msg over. */
bool client_send(struct client *c, const char *doing, struct json_t *msg);
/* The next message that is not the server's error, a new reference. */
bool client_receive(struct client *c, const char *doing, int64_t wait_ns, struct json_t **msg);

/*
 * The control connection became readable during a run: the server's progress,
 * or (false) the error that ends the run, left in the result.
 */
bool client_progress(struct client *c, struct protocol_progress *progress);

/*
 * The control connection became readable during a run, when the server has
 * nothing to say but that it cannot go on: put that into the result.
 */
void client_control_lost(struct client *c);

#endif
