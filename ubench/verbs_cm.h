/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queue pairs found and joined through rdma_cm: unicast (RDMA_PS_UDP) and multicast. */
#ifndef UBENCH_VERBS_CM_H
#define UBENCH_VERBS_CM_H

#include <stdint.h>

#include <rdma/rdma_cma.h>

#include "addr.h"
#include "result.h"
#include "verbs_endpoint.h"
#include "verbs_sender.h"

/* The ids of one side of a run, one per queue pair, and their address handles. */
struct verbs_cm {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener;	/* or NULL */
	uint32_t n_ids;
	struct rdma_cm_id *ids[VERBS_MAX_QPS];
	struct ibv_ah *ahs[VERBS_MAX_QPS];	/* of ids, NULL where there is none */
	struct addr group;		/* joined; len 0: none */
};

/* 0 or -EIO with *err explained. Must be followed by verbs_cm_close(), in case of an error too. */
int verbs_cm_open(struct verbs_cm *cm, struct result_error *err);

/*
 * Destroys what is left. The endpoint on these ids must be freed before; the
 * address handles with verbs_cm_free_paths() before that.
 */
void verbs_cm_close(struct verbs_cm *cm);
void verbs_cm_free_paths(struct verbs_cm *cm);

/* Receiver: listen at addr (port 0: any), *port gets the one in use. 0 or -EIO. */
int verbs_cm_listen(struct verbs_cm *cm, const struct addr *addr, uint16_t *port,
		    struct result_error *err);

/*
 * Receiver: the next request that carries nonce becomes cm->ids[n_ids]; others are
 * turned away. It waits for verbs_cm_accept(). 0 or -EIO.
 */
int verbs_cm_next_request(struct verbs_cm *cm, uint64_t nonce, int64_t deadline_ns,
			  struct result_error *err);
/* Receiver: answer the request of cm->ids[index], which has its queue pair. 0 or -EIO. */
int verbs_cm_accept(struct verbs_cm *cm, uint32_t index, struct result_error *err);

/* Sender: a new id, cm->ids[n_ids], with a route from source (NULL: by routing) to peer. 0 or -EIO. */
int verbs_cm_resolve(struct verbs_cm *cm, const struct addr *source,
		     const struct addr *peer, int64_t deadline_ns, struct result_error *err);
/* Sender: ask the listener for the far queue pair. cm->ids[index] has its own. 0 or -EIO. */
int verbs_cm_connect(struct verbs_cm *cm, uint32_t index, uint64_t nonce, struct ibv_pd *pd,
		     int64_t deadline_ns, struct verbs_path *path, struct result_error *err);
/* Member of a group: a new id, cm->ids[n_ids], on the device that has this local address. 0 or -EIO. */
int verbs_cm_bind(struct verbs_cm *cm, const struct addr *local, struct result_error *err);
/*
 * Join group with the queue pair of cm->ids[index]; a receiver gets its packets
 * from then on, a sender (is_sender) only the path. 0 or -EIO.
 */
int verbs_cm_join(struct verbs_cm *cm, uint32_t index, const struct addr *group,
		  bool is_sender, struct ibv_pd *pd, int64_t deadline_ns, struct verbs_path *path,
		  struct result_error *err);

#endif
