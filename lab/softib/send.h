/* SPDX-License-Identifier: GPL-2.0-only */
/* The send engine: takes requests off a send queue in order and completes them. */
#ifndef SOFTIB_SEND_H
#define SOFTIB_SEND_H

#include <linux/types.h>

struct softib_qp;

bool softib_sq_claim(struct softib_qp *qp);
void softib_sq_run(struct softib_qp *qp);
void softib_sq_kick(struct softib_qp *qp);

#endif
