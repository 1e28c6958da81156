// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delivers completion events as hard interrupts, the way an event queue with an MSI-X vector does.
 */
#include "vector.h"

#include "cost.h"
#include "cq.h"
#include "device.h"

#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

/*
 * The interrupt handler: one interrupt serves every completion queue that raised an event so far.
 */
static void softib_vector_interrupt(struct softib_vector *vector)
{
	struct llist_node *list = llist_reverse_order(llist_del_all(&vector->pending));
	struct softib_cq *cq, *after;

	softib_cost_charge(softib_cost_irq_ns, 1);
	llist_for_each_entry_safe(cq, after, list, event_node)
		softib_cq_deliver_events(cq);
}

static void softib_vector_self(struct irq_work *work)
{
	softib_vector_interrupt(container_of(work, struct softib_vector, self));
}

static enum hrtimer_restart softib_vector_timer(struct hrtimer *timer)
{
	softib_vector_interrupt(container_of(timer, struct softib_vector, timer));
	return HRTIMER_NORESTART;
}

static void softib_vector_remote(void *info)
{
	softib_vector_interrupt(info);
}

/* Without an interrupt of its own irq_work waits for the tick; a timer that is due does not. */
static void softib_vector_raise_here(struct softib_vector *vector)
{
	if (arch_irq_work_has_interrupt())
		irq_work_queue(&vector->self);
	else
		hrtimer_start(&vector->timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * softib_vector_raise() - interrupt the vector's CPU to deliver events of a completion queue
 * @vector: the completion queue's vector
 * @cq:     not on the pending list yet; the caller holds a reference for the interrupt
 *
 * Any context, locks may be held: the handler always runs later, from a hard interrupt of its own.
 * An offline CPU's interrupts go to the caller's.
 */
void softib_vector_raise(struct softib_vector *vector, struct softib_cq *cq)
{
	unsigned long flags;

	local_irq_save(flags);
	if (llist_add(&cq->event_node, &vector->pending)) {
		if (vector->cpu == smp_processor_id() ||
		    smp_call_function_single_async(vector->cpu, &vector->remote))
			softib_vector_raise_here(vector);
	}
	local_irq_restore(flags);
}

/* Allocates one vector per online CPU. 0 or -ENOMEM; softib_vectors_free() undoes it. May sleep. */
int softib_vectors_alloc(struct softib_dev *dev)
{
	int cpu, i = 0;

	dev->vectors = kcalloc(num_online_cpus(), sizeof(*dev->vectors), GFP_KERNEL);
	if (!dev->vectors)
		return -ENOMEM;

	for_each_online_cpu(cpu) {
		struct softib_vector *vector = &dev->vectors[i++];

		init_llist_head(&vector->pending);
		vector->self = IRQ_WORK_INIT_HARD(softib_vector_self);
		hrtimer_init(&vector->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		vector->timer.function = softib_vector_timer;
		INIT_CSD(&vector->remote, softib_vector_remote, vector);
		vector->cpu = cpu;
		if (i == num_online_cpus())
			break;
	}
	dev->ibdev.num_comp_vectors = i;
	return 0;
}

/*
 * Every completion queue is gone, so nothing is pending; a handler that delivered the last event
 * may still be on its way out of a hard interrupt, which synchronize_rcu() waits for. May sleep.
 */
void softib_vectors_free(struct softib_dev *dev)
{
	int i;

	for (i = 0; i < dev->ibdev.num_comp_vectors; i++) {
		irq_work_sync(&dev->vectors[i].self);
		hrtimer_cancel(&dev->vectors[i].timer);
	}
	synchronize_rcu();
	kfree(dev->vectors);
}

/* ib_device_ops.get_vector_affinity */
const struct cpumask *softib_get_vector_affinity(struct ib_device *ibdev, int comp_vector)
{
	struct softib_dev *dev = softib_dev(ibdev);

	if (comp_vector < 0 || comp_vector >= ibdev->num_comp_vectors)
		return NULL;
	return cpumask_of(dev->vectors[comp_vector].cpu);
}
