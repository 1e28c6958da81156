/* SPDX-License-Identifier: GPL-2.0-only */
/* The receive side of a queue pair: checks, placement, completions in order. */
#ifndef SOFTIB_RECV_H
#define SOFTIB_RECV_H

#include "counters.h"

struct softib_pkt;
struct softib_qp;
struct softib_recv_wqe;

enum softib_counter softib_recv(struct softib_qp *qp, const struct softib_pkt *pkt);
void softib_rq_flush(struct softib_qp *qp);
void softib_rq_complete_ended(struct softib_qp *qp);
void softib_recv_complete(struct softib_qp *qp, const struct softib_recv_wqe *wqe, u32 *retire,
			  u32 upto);
bool softib_recv_keys_ok(const struct softib_recv_wqe *wqe);

#endif
