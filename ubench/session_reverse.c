// SPDX-License-Identifier: GPL-2.0-or-later
/* The other direction at the server: what it sends back to the client, to the host of the control connection only. */
#include "session_reverse.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "addr.h"
#include "protocol.h"
#include "sender.h"
#include "sending.h"
#include "session_test.h"

static struct sending sending;

static int open_flow(const struct session_test *test, const struct protocol_run *run,
		     const struct protocol_ready *ready, const struct protocol_begin *begin,
		     unsigned int i)
{
	struct sender *s = &sending.senders[i];
	struct addr peer = run->peer;

	s->nonce = ready->nonce;
	s->flow_id = i;
	s->message_bytes = run->message_bytes;
	s->limit = UINT64_MAX;
	s->worker.cpu = run->cpu;
	s->worker.node = -1;
	s->worker.done_fd = -1;
	addr_set_port(&peer, begin->ports[i]);
	return test->send_back(run, i, &peer, s);
}

int session_reverse_begin(const struct session_test *test, const struct protocol_run *run,
			  const struct protocol_ready *ready, const struct protocol_begin *begin)
{
	unsigned int i;
	int ret;

	if (!run->is_bidirectional || !test->send_back || sending.n || begin->flows != run->flows)
		return -EPROTO;
	ret = sending_alloc(&sending, run->flows);
	for (i = 0; i < run->flows && !ret; i++)
		ret = open_flow(test, run, ready, begin, i);
	if (ret)
		return ret;
	sending_place(&sending, sending.senders[0].fd, "");
	return sending_start(&sending);
}

uint64_t session_reverse_bytes(void)
{
	return sending.n ? sending_total(&sending).bytes : 0;
}

void session_reverse_stop(struct protocol_end *end)
{
	unsigned int i;

	sending_stop(&sending);
	for (i = 0; i < sending.n; i++)
		if (sending.senders[i].is_byte_stream)
			shutdown(sending.senders[i].fd, SHUT_WR);
	if (sending.n)
		sending_collect(&sending, end);
	else
		memset(end, 0, sizeof(*end));
	sending_free(&sending);
}
