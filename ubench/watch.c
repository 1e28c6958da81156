// SPDX-License-Identifier: GPL-2.0-or-later
/* Watches over a run: its end by time, its interim results, Ctrl-C, the control connection. */
#include "watch.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void watch_raise_priority(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	(void)sched_setscheduler(0, SCHED_FIFO, &lowest);
}

void watch_restore_priority(void)
{
	const struct sched_param none = { 0 };

	(void)sched_setscheduler(0, SCHED_OTHER, &none);
}

enum watch_end watch_run(const struct watch *w)
{
	const int64_t end_ns = w->duration_ns ? w->start_ns + w->duration_ns : INT64_MAX;
	int64_t next_ns = w->interval_ns ? w->start_ns + w->interval_ns : INT64_MAX;
	struct pollfd p[] = {
		{ .fd = interrupt_fd(), .events = POLLIN },
		{ .fd = w->done_fd, .events = POLLIN },
		{ .events = POLLIN },
	};
	uint64_t done = 0, more;

	for (;;) {
		struct timespec left = clock_left(earlier(next_ns, end_ns));
		int64_t now_ns;
		int n;

		p[2].fd = w->control_fd;
		n = ppoll(p, 3, &left, NULL);
		now_ns = clock_now_ns();

		/* A last interval that ends with the run is the caller's to close. */
		if (now_ns >= next_ns && next_ns < end_ns) {
			w->tick(w->context, now_ns);
			next_ns += (now_ns - next_ns) / w->interval_ns * w->interval_ns +
				   w->interval_ns;
		}
		if (now_ns >= end_ns)
			return WATCH_TIME_IS_UP;
		if (n <= 0)
			continue;
		if (p[0].revents)
			return WATCH_INTERRUPTED;
		if (p[2].revents && !(w->control && w->control(w->context)))
			return WATCH_CONTROL_READABLE;
		if (p[1].revents && read(w->done_fd, &more, sizeof(more)) > 0)
			done += more;
		if (done >= w->workers)
			return WATCH_WORKERS_DONE;
	}
}
