/* SPDX-License-Identifier: GPL-2.0-only */
/* Multicast groups: which queue pairs of a port receive what. */
#ifndef SOFTIB_MCAST_H
#define SOFTIB_MCAST_H

#include "counters.h"

#include <rdma/ib_verbs.h>

struct softib_pkt;
struct softib_port;

int softib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);
int softib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);
enum softib_counter softib_mcast_deliver(struct softib_port *port, const struct softib_pkt *pkt);

#endif
