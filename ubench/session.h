/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One client's visit to the server, in a process of its own. */
#ifndef UBENCH_SESSION_H
#define UBENCH_SESSION_H

#include <stddef.h>
#include <stdint.h>

struct handover_place;
struct secret;

/* What the server gives to the session. */
struct session_config {
	int fd;				/* connected socket, taken over */
	const struct secret *key;	/* that the client must have; NULL: none needed */
	double max_seconds;		/* of the run */
	uint64_t max_bits_per_second;	/* of its data; 0: no limit */
	const char *token;		/* of this session */
	int handover_fd;		/* where its client may come back, or -1 */
	struct handover_place *places;	/* all sessions, this one among them */
	size_t n_places;
	/*
	 * Not NULL: there is no room for a further run, for that reason; only a
	 * client that comes back to its run is served.
	 */
	const char *no_room;
};

/*
 * Serve one client until its run is done, it has left, or it fails. Prints the
 * run's report to stdout and trouble to stderr, opened by the client's
 * address. Returns the exit code of the process, whose end releases everything.
 */
int session_run(const struct session_config *config);

#endif
