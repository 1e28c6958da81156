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
	char token[SECRET_NONCE_TEXT_BYTES];	/* of the prepared run; "": it cannot be resumed */
};

/* Each returns false after it has put an error into c->result. */
bool client_connect(struct client *c);
bool client_prepare(struct client *c, const struct protocol_run *run, struct protocol_ready *ready);
/* Takes a connection up again that was cut meanwhile. */
bool client_finish(struct client *c, const struct protocol_end *end,
		   struct protocol_result *result);

/*
 * The control connection was cut: make a new one to the same run, trying for
 * patience_ns. doing is for the error's text.
 */
bool client_resume(struct client *c, const char *doing, int64_t patience_ns);

/* For tests with messages of their own; doing is for the error's text. client_send() takes msg over. */
bool client_send(struct client *c, const char *doing, struct json_t *msg);
/* The next message that is not the server's error, a new reference. */
bool client_receive(struct client *c, const char *doing, int64_t wait_ns, struct json_t **msg);

/*
 * The control connection became readable during a run. 1: progress; 0: it was
 * cut, and client_resume() may help; -1: the run must end, error in the result.
 */
int client_hear(struct client *c, struct protocol_progress *progress);

/*
 * The control connection became readable during a run, when the server has
 * nothing to say but that it cannot go on: put that into the result.
 */
void client_control_lost(struct client *c);

#endif
