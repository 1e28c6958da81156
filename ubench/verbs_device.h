/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One port of an RDMA device: found by name or by address, checked, described. */
#ifndef UBENCH_VERBS_DEVICE_H
#define UBENCH_VERBS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <infiniband/verbs.h>

#include "result.h"

struct json_t;

#define VERBS_GRH_BYTES 40u	/* what precedes the payload in a UD receive buffer (IBA vol. 1, Global Route Header) */

/* Which port to take; zeroes and GID_INDEX_ANY leave the choice to verbs_device_open(). */
struct verbs_device_choice {
	char name[64];
	unsigned int port;	/* from 1; 0: the first active one */
	int gid_index;
};

#define VERBS_GID_INDEX_ANY (-1)

struct verbs_device {
	struct ibv_context *ctx;
	bool owns_ctx;		/* false: rdma_cm's */
	uint8_t port;
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_port_attr port_attr;
	struct ibv_device_attr attr;
	int numa_node;		/* -1: not known */
};

/*
 * Open the port that choice names. Without a name: the device whose GID is
 * the address near (NULL: any), else the first with an active port. 0, or
 * -EIO with *err explained: no device, no such port, port down, no such GID.
 */
int verbs_device_open(struct verbs_device *d, const struct verbs_device_choice *choice,
		      const struct sockaddr *near, struct result_error *err);
/* The same for a context that rdma_cm opened and keeps. */
int verbs_device_adopt(struct verbs_device *d, struct ibv_context *ctx, uint8_t port,
		       struct result_error *err);
void verbs_device_close(struct verbs_device *d);

/* Largest UD payload of the port. */
uint32_t verbs_device_mtu_bytes(const struct verbs_device *d);
const char *verbs_device_name(const struct verbs_device *d);
/*
 * Network interface of the port's GID (IF_NAMESIZE), as RoCE has one; 0, or
 * -ENOENT where the kernel names none.
 */
int verbs_device_interface(const struct verbs_device *d, char *name);
/* "InfiniBand" or "Ethernet". */
const char *verbs_device_link_layer(const struct verbs_device *d);
/* Name, port, GID, link layer, MTU, firmware and NUMA node: a new reference. */
struct json_t *verbs_device_describe(const struct verbs_device *d);

#endif
