/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a switch sends a directed-route subnet management packet, going by the packet alone. */
#ifndef SOFTIB_SMP_ROUTE_H
#define SOFTIB_SMP_ROUTE_H

struct ib_smp;

enum softib_smp_hop {
	SOFTIB_SMP_DISCARD,
	SOFTIB_SMP_LOCAL, /* for this node's agent */
	SOFTIB_SMP_PORT, /* out of the port named */
	SOFTIB_SMP_LID, /* on by LID: the directed part ends here */
};

enum softib_smp_hop softib_smp_route(struct ib_smp *smp, unsigned int ingress, unsigned int *out);

#endif
