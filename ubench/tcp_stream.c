// SPDX-License-Identifier: GPL-2.0-or-later
/* TCP_STREAM: messages back to back over a connection, as netperf's. */
#include <sys/socket.h>

#include "addr.h"
#include "cmd.h"
#include "options.h"
#include "report_text.h"
#include "send_tcp.h"
#include "sender.h"
#include "session_test.h"
#include "stream.h"
#include "tcp_socket.h"

static const struct options_test test = {
	.name = "TCP_STREAM",
	.summary = "Send messages over a TCP connection; count what is sent and what arrives.",
	.groups = OPTIONS_ONE_WAY | OPTIONS_MESSAGE | OPTIONS_DATA,
	.default_message_bytes = 16384,
	.max_message_bytes = 64 << 20,
};

static int tcp_open(struct sender *s, const struct addr *peer, const struct options *opt)
{
	s->per_call = 1;
	s->is_byte_stream = true;
	s->loop = send_tcp_each;
	s->fd = tcp_socket_connect(peer, opt->device, opt->local_socket_bytes, s->nonce, s->flow_id);
	return s->fd < 0 ? s->fd : 0;
}

static void tcp_shut(struct sender *s)
{
	shutdown(s->fd, SHUT_WR);
}

static const struct stream_ops ops = {
	.test = &test,
	.is_byte_stream = true,
	.receiving = &session_tcp,
	.open = tcp_open,
	/* It goes on smoothly while a full socket blocks the sender. */
	.progress = send_tcp_acked,
	.shut = tcp_shut,
	.report = report_text_tcp,
};

int cmd_tcp_stream(int argc, char **argv)
{
	return stream_main(&ops, argc, argv);
}
