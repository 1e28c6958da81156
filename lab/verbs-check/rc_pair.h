/* SPDX-License-Identifier: GPL-2.0-only */
/* Two connected queue pairs on one port, the first sending to the second. */
#ifndef VERBS_CHECK_RC_PAIR_H
#define VERBS_CHECK_RC_PAIR_H

#include "pair.h"

#define VC_RC_WRS 8
#define VC_RC_PSN 0xfffffe

/**
 * struct vc_rc_options - attributes of both queue pairs
 * @signaling: of the send queues
 * @timeout:   code of the Local ACK Timeout, 0 for none
 * @retry_cnt: transmissions after the first, without an answer
 * @rnr_retry: after the first, when there is no receive buffer; 7 for ever
 * @rnr_timer: code of the wait between those
 * @psn_skew:  how far the sender's first packet number is off
 * @partition: the sender's index in the P_Key table
 * @srq_wrs:   size of the receiver's shared receive queue, 0 for none
 * @to_in_rtr: the receiver stays in RTR
 */
struct vc_rc_options {
	enum ib_sig_type signaling;
	u8 timeout;
	u8 retry_cnt;
	u8 rnr_retry;
	u8 rnr_timer;
	u8 psn_skew;
	u8 partition;
	u8 srq_wrs;
	bool to_in_rtr;
};

/**
 * struct vc_rc - the pair
 * @from_events, @to_events, @srq_events: bits of the event types its handlers saw
 * @srq_calls: events of the SRQ
 */
struct vc_rc {
	struct ib_device *device;
	const struct vc_rc_options *options;
	struct ib_port_attr port;
	struct ib_pd *pd;
	struct vc_cq send;
	struct vc_cq recv;
	struct ib_srq *srq;
	struct ib_qp *from;
	struct ib_qp *to;
	void *buffer;
	u64 address;
	unsigned long from_events;
	unsigned long to_events;
	unsigned long srq_events;
	atomic_t srq_calls;
};

int vc_with_rc(struct ib_device *device, const struct vc_rc_options *options,
	       int (*body)(struct vc_rc *rc));
void vc_rc_attr(const struct vc_rc *rc, const struct ib_qp *peer, struct ib_qp_attr *attr);
int vc_rc_connect(struct vc_rc *rc, struct ib_qp *qp, const struct ib_qp *peer, bool rts);
int vc_rc_send(struct vc_rc *rc, u64 wr_id, int flags, u32 octets);
int vc_rc_send_key(struct vc_rc *rc, u64 wr_id, u32 lkey);
int vc_rc_recv(struct vc_rc *rc, u64 wr_id, u32 octets);
int vc_rc_recv_key(struct vc_rc *rc, u64 wr_id, u32 octets, u32 lkey);
void *vc_rc_received(struct vc_rc *rc, u64 wr_id);
bool vc_rc_polled(struct vc_cq *cq, int entries, struct ib_wc *wc);
bool vc_rc_told(const unsigned long *events, enum ib_event_type type);
enum ib_qp_state vc_rc_state(struct ib_qp *qp);

#endif
