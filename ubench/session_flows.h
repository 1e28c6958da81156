/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests at the server have in common: a socket on a port of its own for each flow. */
#ifndef UBENCH_SESSION_FLOWS_H
#define UBENCH_SESSION_FLOWS_H

struct addr;
struct protocol_ready;
struct protocol_run;

/*
 * Call open_flow() for each flow, local being base with the flow's port (0:
 * any), until one fails. 0 or the -errno of that one.
 */
int session_flows_open(const struct protocol_run *run, const struct addr *base,
		       struct protocol_ready *ready,
		       int (*open_flow)(const struct protocol_run *run, const struct addr *local,
					unsigned int i, struct protocol_ready *ready));

/* Tell the client the port and the receive buffer of flow i's bound socket. 0 or -errno. */
int session_flows_bound(int fd, unsigned int i, struct protocol_ready *ready);

#endif
