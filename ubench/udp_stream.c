// SPDX-License-Identifier: GPL-2.0-or-later
/* UDP_STREAM: packets as fast as they go, every one of them accounted for. */
#include <errno.h>

#include "addr.h"
#include "cmd.h"
#include "options.h"
#include "report_text.h"
#include "send_udp.h"
#include "sender.h"
#include "session_test.h"
#include "socket.h"
#include "stream.h"

static const struct options_test test = {
	.name = "UDP_STREAM",
	.summary = "Send UDP packets as fast as they go; count what is sent and what arrives.",
	.groups = OPTIONS_DATAGRAMS | OPTIONS_ONE_WAY | OPTIONS_MESSAGE | OPTIONS_DATA,
	.default_message_bytes = 1400,
	.max_message_bytes = 65507,
};

static int udp_open(struct sender *s, const struct addr *peer, const struct options *opt)
{
	const struct send_udp_way way = { .batch = opt->batch, .gso = opt->gso, .pps = opt->pps,
					  .has_zerocopy = opt->has_zerocopy };

	s->fd = socket_connect_udp(peer, opt->device, opt->local_socket_bytes);
	if (s->fd < 0)
		return s->fd;
	if (opt->has_df && socket_set_df(s->fd, peer->ss.ss_family))
		return -EOPNOTSUPP;
	if (opt->ttl && socket_set_ttl(s->fd, peer->ss.ss_family, (int)opt->ttl))
		return -EOPNOTSUPP;
	return send_udp_choose(s, &way);
}

static const struct stream_ops ops = {
	.test = &test,
	.receiving = &session_udp,
	.open = udp_open,
	.report = report_text_udp,
};

int cmd_udp_stream(int argc, char **argv)
{
	return stream_main(&ops, argc, argv);
}
