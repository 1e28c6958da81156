/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nanosecond clocks; all deadlines in ubench are clock_now_ns() values. */
#ifndef UBENCH_CLOCK_H
#define UBENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000LL
#define NSEC_PER_MSEC 1000000LL

/* Monotonic time in ns. */
static inline int64_t clock_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* Unix time in seconds, with the fraction. */
static inline double clock_epoch_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is left until deadline_ns, never negative. */
static inline struct timespec clock_left(int64_t deadline_ns)
{
	int64_t left = deadline_ns - clock_now_ns();

	if (left < 0)
		left = 0;
	return (struct timespec){ .tv_sec = left / NSEC_PER_SEC, .tv_nsec = left % NSEC_PER_SEC };
}

static inline int64_t clock_from_seconds(double seconds)
{
	return (int64_t)(seconds * 1e9);
}

#endif
