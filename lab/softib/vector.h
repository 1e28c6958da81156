/* SPDX-License-Identifier: GPL-2.0-only */
/* Completion vectors: each delivers completion events as a hard interrupt on its own CPU. */
#ifndef SOFTIB_VECTOR_H
#define SOFTIB_VECTOR_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/smp.h>

struct cpumask;
struct ib_device;
struct softib_cq;
struct softib_dev;

/**
 * struct softib_vector - one completion vector
 * @pending: completion queues with an event to deliver
 * @self:    interrupts this CPU when the event was raised on it
 * @timer:   the same where irq_work has no interrupt of its own (user-mode Linux)
 * @remote:  interrupts @cpu from another CPU
 * @cpu:     where the vector's interrupt fires
 */
struct softib_vector {
	struct llist_head pending;
	struct irq_work self;
	struct hrtimer timer;
	call_single_data_t remote;
	int cpu;
};

int softib_vectors_alloc(struct softib_dev *dev);
void softib_vectors_free(struct softib_dev *dev);
void softib_vector_raise(struct softib_vector *vector, struct softib_cq *cq);
const struct cpumask *softib_get_vector_affinity(struct ib_device *ibdev, int comp_vector);

#endif
