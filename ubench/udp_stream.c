// SPDX-License-Identifier: GPL-2.0-or-later
/* UDP_STREAM: packets as fast as they go, every one of them accounted for. */
#include <errno.h>

#include "addr.h"
#include "cmd.h"
#include "options.h"
#include "report_text.h"
#include "send_udp.h"
#include "sender.h"
#include "stream.h"
#include "socket.h"

static const struct options_test test = {
	.name = "UDP_STREAM",
	.summary = "Send UDP packets as fast as they go; count what is sent and what arrives.",
	.own_options = "m:s:S:H:p:",
	.default_message_bytes = 1400,
	.max_message_bytes = 65507,
	.can_send_only = true,
};

static int udp_open(struct sender *s, const struct addr *peer, const struct options *opt)
{
	s->fd = socket_connect_udp(peer, opt->device, opt->local_socket_bytes);
	if (s->fd < 0)
		return s->fd;
	if (opt->has_df && socket_set_df(s->fd, peer->ss.ss_family))
		return -EOPNOTSUPP;
	if (opt->ttl && socket_set_ttl(s->fd, peer->ss.ss_family, (int)opt->ttl))
		return -EOPNOTSUPP;
	s->per_call = 1;
	s->loop = opt->pps > 0 ? send_udp_paced : send_udp_each;
	if (opt->batch > 1) {
		s->per_call = (unsigned int)opt->batch;
		s->loop = send_udp_batch;
	} else if (opt->gso > 1) {
		s->per_call = (unsigned int)opt->gso;
		s->loop = send_udp_gso;
		return send_udp_enable_gso(s->fd, (unsigned int)s->message_bytes);
	}
	return 0;
}

static const struct stream_ops ops = {
	.test = &test,
	.open = udp_open,
	.report = report_text_udp,
};

int cmd_udp_stream(int argc, char **argv)
{
	return stream_main(&ops, argc, argv);
}
