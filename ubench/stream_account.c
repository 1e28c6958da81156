// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of one run of a stream test: joins what was sent and what the receivers counted. */
#include "stream_run.h"

#include <errno.h>
#include <stdio.h>

#include "account.h"
#include "cmd.h"
#include "options.h"
#include "sender.h"
#include "session_test.h"
#include "stream.h"
#include "wire.h"

static struct result_zerocopy zerocopy_of(const struct sender *s)
{
	return (struct result_zerocopy){
		.is_known = s->zerocopy.is_on,
		.sends = s->zerocopy.sends,
		.notified = s->zerocopy.notified,
		.copied = s->zerocopy.copied,
	};
}

/* What ended a sender, or kept it from sending. */
static void tell_trouble(struct stream_run *run, const struct sender *s,
			 const struct result_sent *sent)
{
	if (s->worker.place_error)
		stream_run_fail(run, "data", "cannot use that local CPU", s->worker.place_error);
	if (s->fatal_error == EAGAIN)
		result_set_error(run->result, UBENCH_EXIT_FAILED, "data",
				 "sending: no packet was taken any more: the TX queue or its qdisc holds them all");
	else if (s->fatal_error)
		stream_run_fail(run, "data", "sending", s->fatal_error);
	else if (!sent->packets && sent->send_errors)
		stream_run_fail(run, "data", "no packet could be sent",
				atomic_load(&s->last_error));
}

/* What each sender did, into the result. */
static bool collect(struct stream_run *run, const struct protocol_end *end)
{
	unsigned int i;

	for (i = 0; i < end->flows; i++) {
		const struct sender *s = &run->sending.senders[i];
		struct result_stream stream = { .flow_id = i, .sent = end->sent[i],
						.zerocopy = zerocopy_of(s) };

		if (run->ops->is_request_response)
			stream.round_trips = sender_gaps(s);
		else
			stream.gaps = sender_gaps(s);
		if (result_add_stream(run->result, &stream))
			return stream_run_fail(run, "data", "collecting results", ENOMEM);
		tell_trouble(run, s, &stream.sent);
	}
	return true;
}

static enum account_kind kind(const struct stream_run *run)
{
	if (run->ops->is_byte_stream)
		return ACCOUNT_BYTES;
	return run->opt->message_bytes < WIRE_HEADER_BYTES ? ACCOUNT_SHORT : ACCOUNT_NUMBERED;
}

/* Join the counts of a receiver to r's streams; without counts only the sums are made. */
static void join(const struct stream_run *run, struct ubench_result *r,
		 const struct protocol_end *end, const struct protocol_result *counts)
{
	const struct drops drops = drops_join(&end->drops, counts ? &counts->drops : &end->drops);
	uint64_t socket_drops = 0;
	size_t i;

	for (i = 0; counts && i < r->n_streams; i++) {
		account_stream(&r->streams[i], &counts->counts[i], kind(run));
		socket_drops += counts->counts[i].socket_drops;
	}
	account_sum(r, socket_drops, &drops, end->refused);
}

/* The other direction: what the server sent, and what this host's receivers saw of it. */
static void account_reverse(struct stream_run *run, const struct protocol_end *sent)
{
	static struct protocol_result counts;
	struct ubench_result *r;
	struct drops drops;
	unsigned int i;
	int ret;

	if (sent->flows != run->ready.flows || result_add_reverse(run->result)) {
		stream_run_fail(run, "data", "the other direction", sent->flows ? ENOMEM : EPROTO);
		return;
	}
	r = run->result->reverse;
	snprintf(r->host, sizeof(r->host), "%.127s", run->opt->host);
	snprintf(r->peer, sizeof(r->peer), "%s", run->result->host);
	ret = run->ops->receiving->finish(sent, &counts);
	if (ret)
		stream_run_fail(run, "data", "receiving", ret);
	drops = drops_now(run->sending.interface);
	counts.drops = drops_since(&run->drops_at_start, &drops);
	r->send_socket_bytes = sent->send_socket_bytes;
	r->recv_socket_bytes = run->result->send_socket_bytes;
	for (i = 0; i < sent->flows; i++) {
		struct result_stream stream = { .flow_id = i, .sent = sent->sent[i] };

		if (result_add_stream(r, &stream))
			return;
	}
	join(run, r, sent, &counts);
}

static void tell_if_blocked(struct stream_run *run, uint64_t socket_drops)
{
	const struct ubench_result *r = run->result;

	if (r->received.is_known && r->sent.packets && !r->received.bytes && !socket_drops)
		result_set_error(run->result, UBENCH_EXIT_FAILED, "data",
				 "control ok, data blocked: none of %llu packets arrived",
				 (unsigned long long)r->sent.packets);
}

void stream_account(struct stream_run *run)
{
	static struct protocol_end end;
	static struct protocol_result counts;
	bool has_counts = false;

	sending_collect(&run->sending, &end);
	if (!collect(run, &end))
		return;
	if (resume_finish(&run->resume, &run->client) && !run->opt->is_send_only &&
	    !run->result->error.code)
		has_counts = client_finish(&run->client, &end, &counts);
	if (has_counts)
		run->result->remote_cpu = counts.cpu;
	join(run, run->result, &end, has_counts ? &counts : NULL);
	if (has_counts && run->opt->is_bidirectional)
		account_reverse(run, &counts.reverse);
	group_finish(&run->group, run->opt->host, &end, run->result);
	tell_if_blocked(run, run->result->loss.receive_socket);
}
