/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches over a run: its end by time, its interim results, Ctrl-C, the control connection. */
#ifndef UBENCH_WATCH_H
#define UBENCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum watch_end {
	WATCH_TIME_IS_UP,
	WATCH_WORKERS_DONE,
	WATCH_INTERRUPTED,
	WATCH_CONTROL_READABLE,
};

struct watch {
	int64_t start_ns;
	int64_t duration_ns;	/* 0: no limit */
	int64_t interval_ns;	/* 0: no ticks */
	unsigned int workers;	/* each adds 1 to done_fd at its end */
	int done_fd;		/* eventfd */
	int control_fd;		/* or -1; control() may change it */
	/*
	 * Something came over the control connection; false: the run cannot go
	 * on. NULL: nothing is expected, so that it always ends the run.
	 */
	bool (*control)(void *context);
	/* At start_ns + n * interval_ns, whatever the workers are blocked in. */
	void (*tick)(void *context, int64_t now_ns);
	void *context;
};

/*
 * Let the calling thread go first, where the system allows it: rows and the
 * end of the run come on time although the senders fill every CPU. Threads
 * started meanwhile would inherit it.
 */
void watch_raise_priority(void);
void watch_restore_priority(void);

/* Block until one of these ends the run. */
enum watch_end watch_run(const struct watch *w);

#endif
