/* SPDX-License-Identifier: GPL-2.0-only */
/* The receive side of a queue pair: checks, placement, completions in order. */
#ifndef SOFTIB_RECV_H
#define SOFTIB_RECV_H

#include "counters.h"

struct softib_pkt;
struct softib_qp;

enum softib_counter softib_recv(struct softib_qp *qp, const struct softib_pkt *pkt);
void softib_rq_flush(struct softib_qp *qp);

#endif
