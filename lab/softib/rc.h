/* SPDX-License-Identifier: GPL-2.0-only */
/* Reliable connections: requests that end when the responder acknowledged them. */
#ifndef SOFTIB_RC_H
#define SOFTIB_RC_H

#include "ah.h"
#include "counters.h"

#include <linux/hrtimer.h>
#include <rdma/ib_verbs.h>

struct softib_pkt;
struct softib_qp;
struct softib_send_wqe;

#define SOFTIB_PSN_MASK 0xffffff
#define SOFTIB_MAX_MESSAGE 0x80000000U
#define SOFTIB_MAX_RD_ATOMIC 16

/**
 * struct softib_rc_req - what a request carries besides a datagram's fields
 * @psn:       of its first packet
 * @packets:   it takes on the wire, and numbers it uses
 * @rnr_timer: the responder's answer when it had no receive request: its code of how long to wait
 */
struct softib_rc_req {
	u32 psn;
	u32 packets;
	u8 rnr_timer;
};

/**
 * struct softib_rc - the connection of a queue pair
 * @qp:        the queue pair
 * @av:        the way to the peer
 * @sq_psn:    number of the next packet to send; of whoever processes the send queue
 * @lost:      transmissions of the oldest request that nobody answered
 * @rnr_naks:  answers that there was no receive request for it; not counted if there is no limit
 * @timer:     ends the wait for an answer, or for a receive request
 * @in_flight: the oldest request was transmitted and is not acknowledged; SQ lock, or of whoever
 *             processes the queue
 * @paused:    @timer, or a change of state, goes on with the send queue; SQ lock. The queue is busy
 *             meanwhile.
 * @rq_psn:    number the next packet received must have; RQ lock
 * @established: the event was raised; RQ lock
 * @drained:   the last receive request was told of; RQ lock
 */
struct softib_rc {
	struct softib_qp *qp;
	struct softib_av av;
	u32 sq_psn;
	u8 lost;
	u8 rnr_naks;
	struct hrtimer timer;
	bool in_flight;
	bool paused;
	u32 rq_psn;
	bool established;
	bool drained;
};

int softib_rc_alloc(struct softib_qp *qp);
void softib_rc_free(struct softib_qp *qp);
void softib_rc_reset(struct softib_qp *qp);
bool softib_rc_send(struct softib_qp *qp, const struct softib_send_wqe *wqe,
		    enum ib_wc_status *status);
void softib_rc_resume(struct softib_qp *qp);

enum softib_counter softib_rc_recv(struct softib_qp *qp, const struct softib_pkt *pkt);
void softib_rc_drained(struct softib_qp *qp);

int softib_rc_check_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask);
void softib_rc_take_attr(struct softib_qp *qp, const struct ib_qp_attr *attr, int mask);
void softib_rc_query(const struct softib_qp *qp, struct ib_qp_attr *attr);

#endif
