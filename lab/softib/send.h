/* SPDX-License-Identifier: GPL-2.0-only */
/* The send engine: takes requests off a send queue in order and completes them. */
#ifndef SOFTIB_SEND_H
#define SOFTIB_SEND_H

#include <linux/types.h>

struct softib_av;
struct softib_port;
struct softib_qp;
struct softib_send_wqe;

bool softib_send_keys_ok(const struct softib_send_wqe *wqe);
u16 softib_send_slid(const struct softib_port *port, const struct softib_av *av);
bool softib_sq_keep(struct softib_qp *qp);
void softib_sq_drain(struct softib_qp *qp);
bool softib_sq_claim(struct softib_qp *qp);
bool softib_sq_step(struct softib_qp *qp);
void softib_sq_run(struct softib_qp *qp);
void softib_sq_kick(struct softib_qp *qp);

#endif
