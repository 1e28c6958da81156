/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of one run at the client, for the files that prepare it, run it and account for it. */
#ifndef UBENCH_STREAM_RUN_H
#define UBENCH_STREAM_RUN_H

#include <stdbool.h>

#include "addr.h"
#include "client.h"
#include "group.h"
#include "interim.h"
#include "protocol.h"
#include "result.h"
#include "resume.h"
#include "sending.h"
#include "watch.h"

struct options;
struct stream_ops;

struct stream_run {
	const struct stream_ops *ops;
	const struct options *opt;
	struct ubench_result *result;
	struct client client;
	struct resume resume;		/* of its connection */
	struct group group;		/* further receivers */
	struct protocol_run request;
	struct protocol_ready ready;
	struct addr peer;		/* of the data */
	struct sending sending;
	int done_fd;			/* the senders' eventfd */
	struct result_cpu cpu_at_start;
	struct drops drops_at_start;	/* at the interface, for what comes back */
	struct watch watch;
	struct interim interim;
	struct protocol_progress arrived;	/* as last told by the server */
	bool has_arrived;
};

/* Leave an error of the run in its result. Returns false. */
bool stream_run_fail(struct stream_run *run, const char *where, const char *doing, int error);

/* Ask the server, if there is one, and open all sockets. False with the error in the result. */
bool stream_prepare(struct stream_run *run);

/* Both directions: start receiving, and let the server send. False with the error in the result. */
bool stream_begin_reverse(struct stream_run *run);

/* The senders have stopped: collect, ask the server for its counts, account for every packet. */
void stream_account(struct stream_run *run);

#endif
