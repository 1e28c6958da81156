/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The server's half of a VERBS_UD run. */
#ifndef UBENCH_VERBS_SESSION_H
#define UBENCH_VERBS_SESSION_H

#include "addr.h"
#include "channel.h"

struct json_t;

/*
 * Serve the run that request asks for, to its end, on the control connection
 * that arrived at local. Trouble goes to the client and, opened by its name
 * client, to stderr; one line about the run to stdout. Returns the exit code
 * of the process.
 */
int verbs_session_run(struct channel *control, const struct addr *local, const char *client,
		      const struct json_t *request);

#endif
