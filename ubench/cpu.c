// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU time of the whole host, for utilisation and service demand. */
#include "cpu.h"

#include <stdio.h>
#include <unistd.h>

#include "result.h"

struct result_cpu cpu_now(void)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq;
	double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	struct result_cpu now = { 0 };
	FILE *f = fopen("/proc/stat", "re");

	if (!f)
		return now;
	if (fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &iowait,
		   &irq, &softirq) == 7) {
		now.is_known = true;
		now.busy_s = (double)(user + nice + system + irq + softirq) * tick_s;
		now.all_s = now.busy_s + (double)(idle + iowait) * tick_s;
	}
	fclose(f);
	return now;
}

struct result_cpu cpu_since(const struct result_cpu *earlier)
{
	struct result_cpu now = cpu_now();

	now.is_known = now.is_known && earlier->is_known;
	now.busy_s -= earlier->busy_s;
	now.all_s -= earlier->all_s;
	return now;
}
