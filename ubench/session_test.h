/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test does at the server: a table of functions behind the one session of the process. */
#ifndef UBENCH_SESSION_TEST_H
#define UBENCH_SESSION_TEST_H

#include <stdbool.h>
#include <stdio.h>

#include "account.h"

struct addr;
struct protocol_end;
struct protocol_progress;
struct protocol_ready;
struct protocol_result;
struct protocol_run;
struct ubench_result;

/* Each keeps its state in its own file: a session is a process. */
struct session_test {
	const char *name;
	enum account_kind (*kind)(const struct protocol_run *run);
	/*
	 * Start receiving on base (port 0) as run asks; ready->nonce is given,
	 * its ports and socket_bytes are filled in. 0 or -errno.
	 */
	int (*open)(const struct protocol_run *run, const struct addr *base,
		    struct protocol_ready *ready);
	/* What has arrived so far; NULL: not told. */
	void (*progress)(struct protocol_progress *progress);
	/* The sender's last word: wait for what is under way, count. 0 or -errno. */
	int (*finish)(const struct protocol_end *end, struct protocol_result *result);
	/* Stop and free everything, at any time. */
	void (*abort)(void);
	void (*report)(FILE *out, const struct ubench_result *r, int print_headers);
};

extern const struct session_test session_udp;
extern const struct session_test session_tcp;
extern const struct session_test session_rr;

#endif
