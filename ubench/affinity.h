/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where threads and their memory live: one CPU, or the NUMA node of an interface. */
#ifndef UBENCH_AFFINITY_H
#define UBENCH_AFFINITY_H

#include <stddef.h>

#define AFFINITY_ANY (-1L)

/* NUMA node of a device in sysfs' class "net" or "infiniband", or -1 when it has none or the kernel does not say. */
int affinity_node_of(const char *class, const char *device);

/*
 * Place the calling thread: on cpu if it is not AFFINITY_ANY, else on the
 * CPUs of node if that is not negative. 0 or -errno (-EINVAL: no such CPU).
 */
int affinity_place(long cpu, int node);

/* Whether the calling thread may run on cpu (AFFINITY_ANY: yes). 0 or -errno. */
int affinity_check(long cpu);

/* 0 if this host has the node, else -EINVAL. */
int affinity_check_node(int node);

/* Zeroed page-aligned memory on the caller's node; NULL when there is none. */
void *affinity_alloc(size_t bytes);
/* The same on a node, on the caller's if that is negative or this host knows no nodes. */
void *affinity_alloc_on(size_t bytes, int node);
void affinity_free(void *memory, size_t bytes);

#endif
