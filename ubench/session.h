/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One client's visit to the server, in a process of its own. */
#ifndef UBENCH_SESSION_H
#define UBENCH_SESSION_H

struct secret;

/*
 * Serve one client, which must have the key (NULL: none needed), for at most
 * max_seconds on the connected socket fd (taken over) until its run is
 * done, it has left, or it fails. Prints the run's report to stdout and
 * trouble to stderr, opened by the client's address. Returns the exit code of
 * the process, whose end releases everything.
 */
int session_run(int fd, const struct secret *key, double max_seconds);

#endif
