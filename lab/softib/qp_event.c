// SPDX-License-Identifier: GPL-2.0-only
/* Asynchronous events of a queue pair (IBA volume 1, section 11.6.3), told from process context. */
#include "qp.h"

#include <linux/bitops.h>

/*
 * Has the consumer told of an event, once however often it is raised before. Any context, queue
 * locks may be held.
 */
void softib_qp_raise(struct softib_qp *qp, enum ib_event_type type)
{
	set_bit(type, &qp->events);
	queue_work(system_wq, &qp->event_work);
}

static void softib_qp_tell(struct softib_qp *qp, enum ib_event_type type)
{
	struct ib_event event = {
		.device = qp->ibqp.device,
		.element.qp = &qp->ibqp,
		.event = type,
	};

	if (qp->ibqp.event_handler)
		qp->ibqp.event_handler(&event, qp->ibqp.qp_context);
}

static void softib_qp_deliver_events(struct work_struct *work)
{
	struct softib_qp *qp = container_of(work, struct softib_qp, event_work);
	unsigned int type;

	if (test_bit(IB_EVENT_QP_FATAL, &qp->events))
		softib_qp_break(qp);
	for (type = 0; type < BITS_PER_LONG; type++)
		if (test_and_clear_bit(type, &qp->events))
			softib_qp_tell(qp, type);
}

void softib_qp_events_init(struct softib_qp *qp)
{
	INIT_WORK(&qp->event_work, softib_qp_deliver_events);
}

/* Returns when no handler runs and none will: nobody raises events any more. May sleep. */
void softib_qp_events_cancel(struct softib_qp *qp)
{
	cancel_work_sync(&qp->event_work);
	qp->events = 0;
}
