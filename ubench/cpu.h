/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time of the whole host, for utilisation and service demand. */
#ifndef UBENCH_CPU_H
#define UBENCH_CPU_H

struct result_cpu;

/*
 * Seconds that all CPUs together have been busy, and busy or idle, since boot,
 * in steps of a tick (10 ms). Time taken by other guests of the machine
 * (steal) counts as neither. is_known is false without /proc/stat.
 */
struct result_cpu cpu_now(void);

/* What passed since an earlier cpu_now(). */
struct result_cpu cpu_since(const struct result_cpu *earlier);

#endif
