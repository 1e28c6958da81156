// SPDX-License-Identifier: GPL-2.0-or-later
/* UDP_RR: one request at a time, its response awaited; transactions per second and their round-trip times. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "addr.h"
#include "clock.h"
#include "cmd.h"
#include "options.h"
#include "report_text.h"
#include "sender.h"
#include "socket.h"
#include "stream.h"
#include "wire.h"

/* A response later than this is given up; the transaction counts as timed out. */
#define PATIENCE_NS NSEC_PER_SEC
/* recv() looks up this often to see whether the time is over. */
#define TURN_US 50000

static const struct options_test test = {
	.name = "UDP_RR",
	.summary = "Send a request, wait for its response, again and again.",
	.groups = OPTIONS_PAIR | OPTIONS_DATA,
	.default_message_bytes = 64,
	.max_message_bytes = 65507,
};

/*
 * Wait for the response to this request, also when the run is over: it is
 * still a transaction. False: none came in time.
 */
static bool await(struct sender *s, char *buffer, uint64_t sequence, int64_t deadline_ns)
{
	struct wire_header h;

	while (clock_now_ns() < deadline_ns) {
		ssize_t n = recv(s->fd, buffer, s->response_bytes, MSG_TRUNC);

		/* Whatever else arrives is late, twice here, or a stranger's. */
		if (n == (ssize_t)s->response_bytes && wire_parse(buffer, (size_t)n, &h) &&
		    h.nonce == s->nonce && h.sequence == sequence)
			return true;
	}
	return false;
}

static void transact(struct sender *s, char *data)
{
	static _Thread_local char response[65536];
	uint64_t sent = 0;

	while (sender_goes_on(s, sent)) {
		int64_t start_ns = clock_now_ns();

		wire_set_sequence(data, sent);
		wire_set_time(data, (uint64_t)start_ns);
		if (send(s->fd, data, s->message_bytes, 0) < 0) {
			if (!sender_survives(s, errno, 1))
				break;
			continue;
		}
		sender_count(s, sent + 1);
		if (await(s, response, sent++, start_ns + PATIENCE_NS))
			hist_record(&s->gaps_ns, (uint64_t)(clock_now_ns() - start_ns));
	}
}

static int rr_open(struct sender *s, const struct addr *peer, const struct options *opt)
{
	struct timeval turn = { .tv_usec = TURN_US };

	s->fd = socket_connect_udp(peer, opt->device, opt->local_socket_bytes);
	if (s->fd < 0)
		return s->fd;
	s->per_call = 1;
	s->response_bytes = opt->response_bytes;
	s->loop = transact;
	return setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &turn, sizeof(turn)) ? -errno : 0;
}

static const struct stream_ops ops = {
	.test = &test,
	.is_request_response = true,
	.open = rr_open,
	.report = report_text_rr,
};

int cmd_udp_rr(int argc, char **argv)
{
	return stream_main(&ops, argc, argv);
}
