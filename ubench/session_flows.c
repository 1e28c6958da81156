// SPDX-License-Identifier: GPL-2.0-or-later
/* What the tests at the server have in common: a socket on a port of its own for each flow. */
#include "session_flows.h"

#include <errno.h>
#include <sys/socket.h>

#include "addr.h"
#include "protocol.h"
#include "socket.h"

int session_flows_open(const struct protocol_run *run, const struct addr *base,
		       struct protocol_ready *ready,
		       int (*open_flow)(const struct protocol_run *run, const struct addr *local,
					unsigned int i, struct protocol_ready *ready))
{
	struct addr local = *base;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < run->flows && !ret; i++) {
		addr_set_port(&local, run->data_port ? (uint16_t)(run->data_port + i) : 0);
		ret = open_flow(run, &local, i, ready);
	}
	return ret;
}

int session_flows_bound(int fd, unsigned int i, struct protocol_ready *ready)
{
	struct addr bound = { .len = sizeof(bound.ss) };

	if (getsockname(fd, (struct sockaddr *)&bound.ss, &bound.len))
		return -errno;
	ready->ports[i] = addr_port(&bound);
	ready->socket_bytes = socket_recv_bytes(fd);
	return 0;
}
