// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How late this host wakes up who asked for it: sleeps 2 ms again and again, with the lowest real-time priority as ubench's
 * watch over a run, until SIGTERM; then prints the longest delay in ms.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile sig_atomic_t is_over;

static void on_term(int sig)
{
	(void)sig;
	is_over = 1;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };
	const struct timespec pause = { .tv_nsec = 2000000 };
	double longest_ms = 0;

	signal(SIGTERM, on_term);
	sched_setscheduler(0, SCHED_FIFO, &lowest);
	while (!is_over) {
		double start_ms = now_ms(), late_ms;

		nanosleep(&pause, NULL);
		late_ms = now_ms() - start_ms - 2;
		if (late_ms > longest_ms)
			longest_ms = late_ms;
	}
	printf("%.0f\n", longest_ms);
	return 0;
}
