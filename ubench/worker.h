/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that works in blocking system calls and still stops within milliseconds. */
#ifndef UBENCH_WORKER_H
#define UBENCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
	/* Set by the owner before worker_start(). */
	void (*body)(struct worker *w);
	long cpu;		/* or AFFINITY_ANY */
	int node;		/* NUMA node, or -1 */
	int done_fd;		/* eventfd that gets 1 at the end of the body, or -1 */

	atomic_bool should_stop;	/* read by the body after each system call */
	atomic_bool is_done;
	int place_error;	/* -errno of the placement, valid once done */
	bool is_started;
	pthread_t thread;
};

/* Once per process, before any worker: the signal that interrupts a blocking call. */
void worker_init(void);

/* 0 or -errno. The thread has every signal of the process blocked but its own. */
int worker_start(struct worker *w);

/* Interrupt the blocking call that the body is in, if it is in one just now. */
void worker_kick(struct worker *w);

/* Ask to stop, then worker_join(). */
void worker_stop(struct worker *w);

/*
 * Wait for the end of a body that was asked to end; interrupts its blocking
 * calls until it has noticed. Does nothing for a worker never started.
 */
void worker_join(struct worker *w);

#endif
