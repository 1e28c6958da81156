// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UDP_RR at the server: answers requests. Only those that carry the run's nonce and come from the host of the control
 * connection, which has proved its address by that connection: nobody can be made to receive what he did not ask for.
 */
#include "session_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addr.h"
#include "clock.h"
#include "protocol.h"
#include "receiver.h"
#include "report_text.h"
#include "seq.h"
#include "session_flows.h"
#include "socket.h"
#include "wire.h"
#include "worker.h"

struct responder {
	int fd;
	uint64_t nonce;
	uint32_t flow_id;
	const struct protocol_run *run;
	struct worker worker;
	_Atomic uint64_t requests;	/* for who watches */
	struct seq_tracker seq;
	uint64_t foreign;
	int64_t first_ns, last_ns;
	int error;
	char buffer[65536];
};

static struct responder *responders;
static unsigned int n_responders;

static enum account_kind kind(const struct protocol_run *run)
{
	(void)run;
	return ACCOUNT_NUMBERED;
}

static bool is_ours(const struct responder *r, ssize_t n, struct addr *from, struct wire_header *h)
{
	addr_unmap(from);
	return n == (ssize_t)r->run->message_bytes && wire_parse(r->buffer, (size_t)n, h) &&
	       h->nonce == r->nonce && (h->flow_id & ~WIRE_WARMUP) == r->flow_id &&
	       addr_is_same_host(from, &r->run->peer);
}

/* Count one request and answer it; a response that the queue refuses is the client's time-out. */
static int answer(struct responder *r, const struct addr *from, const struct wire_header *h)
{
	int ret;

	if (!(h->flow_id & WIRE_WARMUP)) {
		ret = seq_record(&r->seq, h->sequence);
		if (ret < 0)
			return ret;
		r->last_ns = clock_now_ns();
		if (!r->first_ns)
			r->first_ns = r->last_ns;
	}
	atomic_fetch_add_explicit(&r->requests, 1, memory_order_relaxed);
	(void)sendto(r->fd, r->buffer, r->run->response_bytes, 0,
		     (const struct sockaddr *)&from->ss, from->len);
	return 0;
}

static void respond(struct worker *w)
{
	struct responder *r =
		(struct responder *)((char *)w - offsetof(struct responder, worker));
	struct wire_header h;

	while (!atomic_load_explicit(&w->should_stop, memory_order_relaxed) && !r->error) {
		struct addr from = { .len = sizeof(from.ss) };
		ssize_t n = recvfrom(r->fd, r->buffer, sizeof(r->buffer), 0,
				     (struct sockaddr *)&from.ss, &from.len);

		if (n < 0)
			continue;
		if (is_ours(r, n, &from, &h))
			r->error = answer(r, &from, &h);
		else
			r->foreign++;
	}
}

static int open_responder(const struct protocol_run *run, const struct addr *local, unsigned int i,
			  struct protocol_ready *ready)
{
	struct responder *r = &responders[i];
	int ret;

	r->fd = socket_bind_udp(local, run->socket_bytes);
	if (r->fd < 0)
		return r->fd;
	n_responders++;
	ret = session_flows_bound(r->fd, i, ready);
	if (ret)
		return ret;
	r->nonce = ready->nonce;
	r->flow_id = i;
	r->run = run;
	r->worker = (struct worker){ .body = respond, .cpu = run->cpu, .node = -1, .done_fd = -1 };
	ret = seq_init(&r->seq);
	return ret ? ret : worker_start(&r->worker);
}

static int rr_open(const struct protocol_run *run, const struct addr *base,
		   struct protocol_ready *ready)
{
	if (run->message_bytes < WIRE_HEADER_BYTES || run->response_bytes < WIRE_HEADER_BYTES)
		return -EINVAL;
	responders = calloc(run->flows, sizeof(*responders));
	if (!responders)
		return -ENOMEM;
	return session_flows_open(run, base, ready, open_responder);
}

static void rr_progress(struct protocol_progress *progress)
{
	unsigned int i;

	*progress = (struct protocol_progress){ 0 };
	for (i = 0; i < n_responders; i++) {
		uint64_t n = atomic_load_explicit(&responders[i].requests, memory_order_relaxed);

		progress->packets += n;
		progress->bytes += n * (responders[i].run->message_bytes +
					responders[i].run->response_bytes);
	}
}

/* Whoever waits for each response has nothing under way at the end. */
static int rr_finish(const struct protocol_end *end, struct protocol_result *result)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n_responders; i++) {
		struct responder *r = &responders[i];

		worker_stop(&r->worker);
		seq_finish(&r->seq, end->sent[i].packets);
		result->counts[i] = (struct receiver_counts){
			.packets = r->seq.unique,
			.bytes = r->seq.unique * r->run->message_bytes,
			.duplicates = r->seq.duplicates,
			.out_of_order = r->seq.late,
			.foreign = r->foreign + r->seq.implausible,
			.span_ns = r->last_ns - r->first_ns,
			.jitter_ns = -1,
		};
		ret = ret ? ret : r->error ? r->error : r->worker.place_error;
	}
	return ret;
}

static void rr_abort(void)
{
	unsigned int i;

	for (i = 0; i < n_responders; i++) {
		worker_stop(&responders[i].worker);
		seq_free(&responders[i].seq);
		close(responders[i].fd);
	}
	free(responders);
	responders = NULL;
	n_responders = 0;
}

const struct session_test session_rr = {
	.name = "UDP_RR",
	.kind = kind,
	.open = rr_open,
	.progress = rr_progress,
	.finish = rr_finish,
	.abort = rr_abort,
	.report = report_text_rr,
};
