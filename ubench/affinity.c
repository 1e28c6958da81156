// SPDX-License-Identifier: GPL-2.0-or-later
/* Where threads and their memory live: one CPU, or the NUMA node of an interface. */
#include "affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>

#include <numa.h>

int affinity_node_of(const char *class, const char *device)
{
	char path[128];
	int node = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/%s/%s/device/numa_node", class, device);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &node) != 1)
		node = -1;
	fclose(f);
	return node;
}

int affinity_place(long cpu, int node)
{
	cpu_set_t set;

	if (cpu != AFFINITY_ANY) {
		if (cpu < 0 || cpu >= CPU_SETSIZE)
			return -EINVAL;
		CPU_ZERO(&set);
		CPU_SET((size_t)cpu, &set);
		return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
	}
	if (node < 0 || numa_available() < 0 || node > numa_max_node())
		return 0;
	return numa_run_on_node(node) ? -errno : 0;
}

int affinity_check(long cpu)
{
	cpu_set_t before;
	int ret;

	if (sched_getaffinity(0, sizeof(before), &before))
		return -errno;
	ret = affinity_place(cpu, -1);
	if (sched_setaffinity(0, sizeof(before), &before))
		return -errno;
	return ret;
}

void *affinity_alloc(size_t bytes)
{
	void *memory;

	if (numa_available() >= 0)
		return numa_alloc_local(bytes);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

int affinity_check_node(int node)
{
	return node >= 0 && numa_available() >= 0 && node <= numa_max_node() ? 0 : -EINVAL;
}

void *affinity_alloc_on(size_t bytes, int node)
{
	return affinity_check_node(node) ? affinity_alloc(bytes) : numa_alloc_onnode(bytes, node);
}

void affinity_free(void *memory, size_t bytes)
{
	if (!memory)
		return;
	if (numa_available() >= 0)
		numa_free(memory, bytes);
	else
		munmap(memory, bytes);
}
