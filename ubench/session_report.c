// SPDX-License-Identifier: GPL-2.0-or-later
/* The server's report of a run: the figures that the client prints too. */
#include <stdio.h>

#include "account.h"
#include "session_state.h"
#include "session_test.h"

static void fill(struct ubench_result *r, const struct session *s, const struct protocol_end *end,
		 const struct protocol_result *result)
{
	const struct drops drops = drops_join(&end->drops, &result->drops);
	uint64_t socket_drops = 0;
	unsigned int i;

	snprintf(r->host, sizeof(r->host), "%s", s->run.host);
	snprintf(r->peer, sizeof(r->peer), "this server");
	r->message_bytes = s->run.message_bytes;
	r->send_socket_bytes = end->send_socket_bytes;
	r->recv_socket_bytes = s->ready.socket_bytes;
	for (i = 0; i < end->flows; i++) {
		struct result_stream stream = { .flow_id = i, .sent = end->sent[i] };

		account_stream(&stream, &result->counts[i], s->test->kind(&s->run));
		socket_drops += result->counts[i].socket_drops;
		if (result_add_stream(r, &stream))
			break;
	}
	account_sum(r, socket_drops, &drops, end->refused);
}

/* What this server sent; how much of it arrived is the client's to tell. */
static void fill_reverse(struct ubench_result *r, const struct session *s,
			 const struct protocol_end *end)
{
	unsigned int i;

	snprintf(r->host, sizeof(r->host), "this server");
	snprintf(r->peer, sizeof(r->peer), "%s", s->run.host);
	r->message_bytes = s->run.message_bytes;
	r->send_socket_bytes = end->send_socket_bytes;
	for (i = 0; i < end->flows; i++) {
		struct result_stream stream = { .flow_id = i, .sent = end->sent[i] };

		if (result_add_stream(r, &stream))
			break;
	}
	account_sum(r, 0, &end->drops, end->refused);
}

void session_report(const struct session *s, const struct protocol_end *end,
		    const struct protocol_result *result)
{
	struct ubench_result r;

	result_init(&r, s->run.test);
	fill(&r, s, end, result);
	s->test->report(stdout, &r, 1);
	result_free(&r);
	if (result->reverse.flows) {
		result_init(&r, s->run.test);
		fill_reverse(&r, s, &result->reverse);
		s->test->report(stdout, &r, 1);
		result_free(&r);
	}
	fflush(stdout);
}
