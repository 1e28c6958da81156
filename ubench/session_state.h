/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the one session of a process, for the files that serve it. */
#ifndef UBENCH_SESSION_STATE_H
#define UBENCH_SESSION_STATE_H

#include <net/if.h>

#include "addr.h"
#include "drops.h"
#include "protocol.h"
#include "result.h"
#include "session_link.h"

struct json_t;
struct session_config;
struct session_test;

struct session {
	const struct session_config *config;
	struct session_link link;
	struct addr local;		/* where the control connection arrived */
	struct addr peer;		/* the client's host */
	char client[ADDR_TEXT_BYTES];
	struct protocol_run run;
	struct protocol_ready ready;
	const struct session_test *test;	/* NULL: none chosen yet */
	char interface[IF_NAMESIZE];	/* where the data arrives, or "" */
	struct result_cpu cpu_at_start;
	struct drops drops_at_start;
};

/* A line to the log, opened by the client's address. Returns the exit code of a failed session. */
__attribute__((format(printf, 2, 3)))
int session_complain(const struct session *s, const char *fmt, ...);

/* The same line to the client, which is waiting for an answer; error: a -errno whose text is added, or 0. */
int session_refuse(struct session *s, const char *what, int error);

/* Serve the run over sockets that the client asks for, to its end. Returns the exit code. */
int session_stream(struct session *s, const struct json_t *request);

/* Print the report of a run that the client prints too. */
void session_report(const struct session *s, const struct protocol_end *end,
		    const struct protocol_result *result);

#endif
