// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread that works in blocking system calls and still stops within milliseconds. */
#include "worker.h"

#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"

#define KICK_SIGNAL SIGUSR1
#define STACK_BYTES (512 * 1024)

static void on_kick(int sig)
{
	(void)sig;
}

void worker_init(void)
{
	/* No SA_RESTART: the point of the signal is EINTR. */
	struct sigaction act = { .sa_handler = on_kick };

	sigaction(KICK_SIGNAL, &act, NULL);
}

static void *run(void *arg)
{
	struct worker *w = arg;
	uint64_t one = 1;

	w->place_error = affinity_place(w->cpu, w->node);
	if (!w->place_error)
		w->body(w);
	atomic_store(&w->is_done, true);
	if (w->done_fd >= 0 && write(w->done_fd, &one, sizeof(one)) < 0)
		w->done_fd = -1;	/* an eventfd never refuses so small a sum */
	return NULL;
}

int worker_start(struct worker *w)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	sigdelset(&all, KICK_SIGNAL);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	/* Many flows must fit into a session's memory. */
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	ret = pthread_create(&w->thread, &attr, run, w);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	w->is_started = !ret;
	return -ret;
}

void worker_kick(struct worker *w)
{
	if (w->is_started)
		pthread_kill(w->thread, KICK_SIGNAL);
}

void worker_stop(struct worker *w)
{
	atomic_store(&w->should_stop, true);
	worker_join(w);
}

void worker_join(struct worker *w)
{
	const struct timespec pause = { .tv_nsec = NSEC_PER_MSEC };

	if (!w->is_started)
		return;
	/* Again and again, because a kick just before the blocking call is lost. */
	while (!atomic_load(&w->is_done)) {
		pthread_kill(w->thread, KICK_SIGNAL);
		nanosleep(&pause, NULL);
	}
	pthread_join(w->thread, NULL);
	w->is_started = false;
}
