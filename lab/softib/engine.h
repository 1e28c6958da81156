/* SPDX-License-Identifier: GPL-2.0-only */
/* Who processes send queues: whoever posts, or a thread of the HCA. */
#ifndef SOFTIB_ENGINE_H
#define SOFTIB_ENGINE_H

#include "device.h"
#include "qp.h"
#include "send.h"

struct softib_engine;

int softib_engine_alloc(struct softib_dev *dev);
void softib_engine_free(struct softib_dev *dev);
void softib_engine_submit(struct softib_engine *engine, struct softib_qp *qp);

/*
 * Has a send queue processed that the caller has marked busy, as softib_sq_run() wants it: here and
 * now, or by the HCA's thread. Any context.
 */
static inline void softib_engine_run(struct softib_qp *qp)
{
	if (likely(!qp->dev->engine))
		softib_sq_run(qp);
	else
		softib_engine_submit(qp->dev->engine, qp);
}

#endif
