/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The receiving half of a test: a table of functions behind the one run of the process. */
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
struct sender;
struct ubench_result;

/* Each keeps its state in its own file: a session is a process, and so is a client. */
struct session_test {
	const char *name;
	enum account_kind (*kind)(const struct protocol_run *run);
	/*
	 * Start receiving on base (port 0) as run asks; ready->nonce is given,
	 * its ports, socket_bytes and has_gro are filled in. 0 or -errno.
	 */
	int (*open)(const struct protocol_run *run, const struct addr *base,
		    struct protocol_ready *ready);
	/*
	 * Instead of open(), at the client when both directions run: receive flow i, the
	 * next after those adopted before, on its connected socket, which is
	 * taken over. 0 or -errno. NULL: one direction only.
	 */
	int (*adopt)(const struct protocol_run *run, const struct protocol_ready *ready,
		     unsigned int i, int fd);
	/*
	 * At the server when both directions run: a socket to the peer's end of flow i
	 * into s->fd, to be closed by the caller, and the loop that sends on it; the
	 * rest of s is filled in. 0 or -errno.
	 */
	int (*send_back)(const struct protocol_run *run, unsigned int i, const struct addr *peer,
			 struct sender *s);
	/* What has arrived so far. */
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
