/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a cut control connection up again in a thread of its own, so that interim rows stay on time. */
#ifndef UBENCH_RESUME_H
#define UBENCH_RESUME_H

#include <stdbool.h>

#include "client.h"
#include "result.h"
#include "worker.h"

struct resume {
	struct worker worker;
	struct client attempt;		/* a copy of the client, whose connection is cut */
	struct ubench_result scratch;	/* gets its error */
	bool is_running;
	bool is_connected;
	int done_fd;			/* readable when the attempt is over */
};

/* Start for the client c of a run. 0 or -errno. */
int resume_start(struct resume *r, const struct client *c);

/*
 * Wait for the end of the attempt and give its connection to c. False, with the
 * reason in c's result: there is none. Does nothing and is true when none runs.
 */
bool resume_finish(struct resume *r, struct client *c);

#endif
