// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engine threads: one for each HCA, on a CPU of its own, so that a posted request is sent later and
 * elsewhere, as hardware does it.
 */
#include "engine.h"

#include <linux/bottom_half.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#define SOFTIB_MAX_ENGINE_CPUS 16

static char *softib_engine_kind = "poster";
module_param_named(engine, softib_engine_kind, charp, 0444);
MODULE_PARM_DESC(engine, "Who sends: poster (default) in ib_post_send, or thread, one for each HCA");

static unsigned int softib_engine_cpus[SOFTIB_MAX_ENGINE_CPUS];
static unsigned int softib_num_engine_cpus;
module_param_array_named(engine_cpus, softib_engine_cpus, uint, &softib_num_engine_cpus, 0444);
MODULE_PARM_DESC(engine_cpus, "CPUs of the threads, dealt out in turn (default: those online)");

/**
 * struct softib_engine - an HCA's thread
 * @pending: queue pairs whose send queue is marked busy and waits for the thread
 * @task:    the thread
 */
struct softib_engine {
	struct llist_head pending;
	struct task_struct *task;
};

/*
 * Processes a send queue to its end. Softirqs get their turn after each request: consumers run as
 * such, and a busy one could keep this up for ever.
 */
static void softib_engine_process(struct softib_qp *qp)
{
	bool more;

	do {
		local_bh_disable();
		more = softib_sq_step(qp);
		local_bh_enable();
		cond_resched();
	} while (more);
}

static int softib_engine_thread(void *data)
{
	struct softib_engine *engine = data;
	struct softib_qp *qp, *after;

	for (;;) {
		struct llist_node *list;

		set_current_state(TASK_INTERRUPTIBLE);
		list = llist_del_all(&engine->pending);
		if (!list) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		list = llist_reverse_order(list);
		/* A queue at rest may be listed again, or gone, so the next one is read before. */
		llist_for_each_entry_safe(qp, after, list, engine_node)
			softib_engine_process(qp);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/* The CPU the HCA's thread is bound to; nr_cpu_ids if the parameter names one that is offline. */
static unsigned int softib_engine_cpu(unsigned int index)
{
	unsigned int cpu, skip = index % num_online_cpus();

	if (softib_num_engine_cpus) {
		cpu = softib_engine_cpus[index % softib_num_engine_cpus];
		return cpu < nr_cpu_ids && cpu_online(cpu) ? cpu : nr_cpu_ids;
	}
	for_each_online_cpu(cpu)
		if (!skip--)
			return cpu;
	return nr_cpu_ids;
}

/**
 * softib_engine_alloc() - start an HCA's thread, if the module's parameters ask for one
 * @dev: the HCA, not registered yet
 *
 * May sleep. Return: 0; -EINVAL for parameters that make no sense; -ENOMEM or what kthread_create()
 * says.
 */
int softib_engine_alloc(struct softib_dev *dev)
{
	unsigned int cpu = softib_engine_cpu(dev->index);
	struct softib_engine *engine;
	int err;

	if (!strcmp(softib_engine_kind, "poster"))
		return 0;
	if (strcmp(softib_engine_kind, "thread") || cpu >= nr_cpu_ids)
		return -EINVAL;
	engine = kzalloc(sizeof(*engine), GFP_KERNEL);
	if (!engine)
		return -ENOMEM;
	init_llist_head(&engine->pending);
	engine->task = kthread_create(softib_engine_thread, engine, "softib%u", dev->index);
	if (IS_ERR(engine->task)) {
		err = PTR_ERR(engine->task);
		kfree(engine);
		return err;
	}
	kthread_bind(engine->task, cpu);
	wake_up_process(engine->task);
	dev->engine = engine;
	return 0;
}

/* All queue pairs are gone, so the thread has nothing to do. May sleep. */
void softib_engine_free(struct softib_dev *dev)
{
	if (!dev->engine)
		return;
	kthread_stop(dev->engine->task);
	kfree(dev->engine);
}

/* Hands a send queue that is marked busy, and so on no list yet, to the thread. Any context. */
void softib_engine_submit(struct softib_engine *engine, struct softib_qp *qp)
{
	if (llist_add(&qp->engine_node, &engine->pending))
		wake_up_process(engine->task);
}
