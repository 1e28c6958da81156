// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiving side of a VERBS_UD run: counts what arrives, and never waits for a number of packets. */
#include "verbs_receiver.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "verbs_error.h"
#include "verbs_post.h"
#include "verbs_repost.h"
#include "wire.h"

#define POLL_BATCH 64
#define REST_NS (500 * 1000L)

static int post_all(struct verbs_receiver *r)
{
	uint32_t qp, slot;
	int ret = 0;

	for (qp = 0; qp < r->ep->n_qps && !ret; qp++) {
		verbs_repost_init(&r->reposts[qp], r->ep);
		for (slot = 0; slot < r->ep->config.recv_depth && !ret; slot++)
			ret = verbs_repost_add(&r->reposts[qp], r->ep, qp, slot);
		if (!ret)
			ret = verbs_repost_flush(&r->reposts[qp], r->ep, qp);
	}
	return ret;
}

int verbs_receiver_init(struct verbs_receiver *r, struct verbs_endpoint *ep,
			const struct verbs_receiver_config *config, struct result_error *err)
{
	uint32_t i;
	int ret = 0;

	memset(r, 0, sizeof(*r));
	r->ep = ep;
	r->config = *config;
	r->is_sequenced = config->message_bytes >= WIRE_HEADER_BYTES;
	r->flows = calloc(config->flows, sizeof(*r->flows));
	r->reposts = calloc(ep->n_qps, sizeof(*r->reposts));
	if (!r->flows || !r->reposts)
		ret = ENOMEM;
	for (i = 0; i < config->flows && !ret; i++)
		ret = -seq_init(&r->flows[i].seq);
	if (!ret)
		ret = post_all(r);
	if (!ret)
		return 0;
	verbs_receiver_free(r);
	return verbs_fail_errno(err, "receive queue", ret);
}

void verbs_receiver_free(struct verbs_receiver *r)
{
	uint32_t i;

	for (i = 0; r->flows && i < r->config.flows; i++)
		seq_free(&r->flows[i].seq);
	free(r->flows);
	free(r->reposts);
	r->flows = NULL;
	r->reposts = NULL;
}

/* RFC 3550, 6.4.1: mean deviation of the difference in transit time, gain 1/16. */
static void update_jitter(struct verbs_arrivals *f, uint64_t send_time_ns, int64_t now_ns)
{
	int64_t transit_ns = now_ns - (int64_t)send_time_ns;

	if (f->has_transit)
		f->jitter_ns += (fabs((double)(transit_ns - f->transit_ns)) - f->jitter_ns) / 16;
	f->transit_ns = transit_ns;
	f->has_transit = true;
}

enum arrival { FOREIGN, AGAIN, FRESH };

/* Without room for a flow id the queue pair tells the flow. */
static enum arrival take_short(struct verbs_receiver *r, uint32_t qp, const char *data, uint32_t len)
{
	if (len != r->config.message_bytes || !wire_is_ours_short(data, len, r->config.nonce))
		return FOREIGN;
	r->flows[qp < r->config.flows ? qp : 0].seq.unique++;
	return FRESH;
}

/* Count one packet: an enum arrival or -ENOMEM. */
static int take(struct verbs_receiver *r, const char *data, uint32_t len, int64_t now_ns)
{
	struct verbs_arrivals *f;
	struct wire_header h;
	int verdict;

	if (len != r->config.message_bytes || !wire_parse(data, len, &h) ||
	    h.nonce != r->config.nonce || h.flow_id >= r->config.flows)
		return FOREIGN;
	f = &r->flows[h.flow_id];
	verdict = seq_record(&f->seq, h.sequence);
	if (verdict < 0)
		return verdict;
	if (verdict == SEQ_NEW && h.send_time_ns)
		update_jitter(f, h.send_time_ns, now_ns);
	return verdict == SEQ_NEW || verdict == SEQ_LATE ? FRESH : AGAIN;
}

/* Count the packet of a completion and give its buffer back. An enum arrival or -EIO. */
static int take_wc(struct verbs_receiver *r, const struct ibv_wc *wc, int64_t now_ns)
{
	uint32_t qp = verbs_wr_flow(wc->wr_id), slot = (uint32_t)verbs_wr_number(wc->wr_id);
	const char *data = verbs_endpoint_slot(r->ep, qp, slot) + VERBS_GRH_BYTES;
	int arrival = FOREIGN, e;

	if (wc->status != IBV_WC_SUCCESS)
		return verbs_fail_wc(&r->error, wc, qp, slot);
	if (wc->byte_len >= VERBS_GRH_BYTES) {
		uint32_t len = wc->byte_len - VERBS_GRH_BYTES;

		arrival = r->is_sequenced ? take(r, data, len, now_ns) :
					    (int)take_short(r, qp, data, len);
	}
	if (arrival < 0)
		return verbs_fail_errno(&r->error, "sequence numbers", -arrival);
	e = verbs_repost_add(&r->reposts[qp], r->ep, qp, slot);
	return e ? verbs_fail_errno(&r->error, "receive queue", e) : arrival;
}

/* Count n completions. 0 or -EIO. */
static int take_batch(struct verbs_receiver *r, const struct ibv_wc *wc, int n)
{
	uint64_t tally[FRESH + 1] = { 0 };
	int64_t now_ns = clock_now_ns();
	uint32_t qp;
	int i, arrival, e = 0;

	for (i = 0; i < n; i++) {
		arrival = take_wc(r, &wc[i], now_ns);
		if (arrival < 0)
			return arrival;
		tally[arrival]++;
	}
	for (qp = 0; qp < r->ep->n_qps && !e; qp++)
		e = verbs_repost_flush(&r->reposts[qp], r->ep, qp);
	r->completions += (uint64_t)n;
	r->foreign += tally[FOREIGN];
	if (tally[AGAIN] + tally[FRESH]) {
		if (!r->last_ns)
			r->first_ns = now_ns;
		atomic_store_explicit(&r->last_ns, now_ns, memory_order_relaxed);
		atomic_store_explicit(&r->unique, r->unique + tally[FRESH], memory_order_relaxed);
	}
	return e ? verbs_fail_errno(&r->error, "receive queue", e) : 0;
}

/*
 * Nothing was there. Where one CPU is all there is, the sender needs it, and
 * the scheduler gives a thread its half of it whether that yields or not.
 */
static void rest(unsigned int empty, bool is_only_cpu)
{
	const struct timespec pause = { .tv_nsec = REST_NS };

	if (is_only_cpu)
		nanosleep(&pause, NULL);
	else if (empty % VERBS_POLLS_PER_YIELD == 0)
		sched_yield();
}

static void receive(struct worker *w)
{
	struct verbs_receiver *r = (struct verbs_receiver *)((char *)w - offsetof(struct verbs_receiver, worker));
	struct ibv_wc wc[POLL_BATCH];
	bool is_only_cpu = sysconf(_SC_NPROCESSORS_ONLN) == 1;
	unsigned int empty = 0;
	int n;

	while (!atomic_load_explicit(&w->should_stop, memory_order_relaxed)) {
		n = verbs_endpoint_poll(r->ep, wc, POLL_BATCH, VERBS_UNTIL_SIGNAL);
		if (n < 0) {
			verbs_fail_errno(&r->error, "completion queue", -n);
			break;
		}
		if (n && take_batch(r, wc, n))
			break;
		if (!n && !r->ep->channel)
			rest(++empty, is_only_cpu);
	}
}

int verbs_receiver_start(struct verbs_receiver *r)
{
	r->worker.body = receive;
	r->worker.done_fd = -1;
	return worker_start(&r->worker);
}

void verbs_receiver_finish(struct verbs_receiver *r, uint64_t sent, int64_t quiet_ns, int64_t max_ns)
{
	const struct timespec pause = { .tv_nsec = NSEC_PER_MSEC };
	int64_t start_ns = clock_now_ns(), now_ns = start_ns;

	while (!atomic_load(&r->worker.is_done) && now_ns - start_ns < max_ns) {
		int64_t last_ns = atomic_load_explicit(&r->last_ns, memory_order_relaxed);

		if (now_ns - (last_ns > start_ns ? last_ns : start_ns) > quiet_ns ||
		    atomic_load_explicit(&r->unique, memory_order_relaxed) >= sent)
			break;
		nanosleep(&pause, NULL);
		now_ns = clock_now_ns();
	}
	worker_stop(&r->worker);
}

void verbs_receiver_count(struct verbs_receiver *r, uint32_t flow, uint64_t sent,
			  struct result_received *out)
{
	struct verbs_arrivals *f = &r->flows[flow];

	if (r->is_sequenced) {
		seq_finish(&f->seq, sent);
	} else if (f->seq.unique > sent) {
		f->seq.implausible = f->seq.unique - sent;
		f->seq.unique = sent;
	}
	*out = (struct result_received){
		.is_known = true,
		.is_sequenced = r->is_sequenced,
		.seconds = 1e-9 * (double)(r->last_ns - r->first_ns),
		.bytes = f->seq.unique * r->config.message_bytes,
		.packets = f->seq.unique,
		.lost_packets = sent - f->seq.unique,
		.duplicates = f->seq.duplicates,
		.out_of_order = f->seq.late,
		.foreign = f->seq.implausible,
		.jitter_ms = f->has_transit ? 1e-6 * f->jitter_ns : NAN,
	};
}
