/* SPDX-License-Identifier: GPL-2.0-only */
/* Two UD queue pairs on one port, the first sending to the second: what every check starts from. */
#ifndef VERBS_CHECK_PAIR_H
#define VERBS_CHECK_PAIR_H

#include <linux/atomic.h>
#include <rdma/ib_verbs.h>

#define VC_PORT 1
#define VC_QKEY 0x11223344
#define VC_MESSAGE 64
#define VC_GRH 40
#define VC_MAX_MESSAGE 8192

/**
 * struct vc_cq - a completion queue and what its handlers saw
 * @events:     calls of the completion handler
 * @hard:       of them, from a hard interrupt
 * @other_cpu:  of them, on another CPU than the first online one, which vector 0 belongs to
 * @errors:     CQ error events
 */
struct vc_cq {
	struct ib_cq *cq;
	atomic_t events;
	atomic_t hard;
	atomic_t other_cpu;
	atomic_t errors;
};

/**
 * struct vc_options - sizes of the queues, 0 for the default of 8
 */
struct vc_options {
	enum ib_sig_type signaling;
	int send_wrs;
	int recv_wrs;
	int send_cqes;
	int recv_cqes;
};

struct vc_pair {
	struct ib_device *device;
	struct ib_pd *pd;
	struct vc_cq send;
	struct vc_cq recv;
	struct ib_qp *from;
	struct ib_qp *to;
	struct ib_ah *ah;
	void *buffer;
	u64 address;
	atomic_t fatal;
};

struct vc_pair *vc_pair_create(struct ib_device *device, const struct vc_options *options);
void vc_pair_destroy(struct vc_pair *pair);
int vc_with_pair(struct ib_device *device, const struct vc_options *options,
		 int (*body)(struct vc_pair *pair));
int vc_cq_create(struct ib_device *device, struct vc_cq *vc, int cqes);
void vc_settle(void);
int vc_to_rts(struct ib_qp *qp);
int vc_set_state(struct ib_qp *qp, enum ib_qp_state state);
int vc_send(struct vc_pair *pair, u64 wr_id, int flags);
int vc_send_octets(struct vc_pair *pair, u64 wr_id, int flags, u32 octets);
int vc_send_key(struct vc_pair *pair, u64 wr_id, int flags, u32 lkey);
int vc_send_qkey(struct vc_pair *pair, u64 wr_id, u32 qkey);
void vc_chain(struct vc_pair *pair, struct ib_ud_wr *wr, int count, struct ib_sge *sge);
int vc_recv(struct vc_pair *pair, u64 wr_id, u32 octets);
bool vc_events_reach(struct vc_cq *cq, int events);

#endif
