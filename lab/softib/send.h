/* SPDX-License-Identifier: GPL-2.0-only */
/* The send engine: takes requests off a send queue in order and completes them. */
#ifndef SOFTIB_SEND_H
#define SOFTIB_SEND_H

#include <linux/delay.h>
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
bool softib_sq_kick_some(struct softib_qp *qp);
void softib_sq_resume(struct softib_qp *qp);

/* Longer than a stopped consumer takes from completion to post. May sleep. */
static inline void softib_sq_pause(void)
{
	usleep_range(1000, 2000);
}

#endif
