// SPDX-License-Identifier: GPL-2.0-or-later
/* The control connection of a session, which outlives being cut: the client may come back on a new one. */
#include "session_link.h"

#include <errno.h>
#include <poll.h>

#include <jansson.h>

#include "clock.h"
#include "handover.h"
#include "protocol.h"

#define SEND_NS (5 * NSEC_PER_SEC)
/* A message that has begun must go on. */
#define MESSAGE_NS (5 * NSEC_PER_SEC)

/* What was left of the old connection does not matter: the client begins anew after a greeting. */
static int take_new_connection(struct session_link *l)
{
	int ret = handover_receive(l->handover_fd, &l->control);

	if (ret)
		return ret;
	l->cut_since_ns = 0;
	return channel_send(&l->control, protocol_resumed(), clock_now_ns() + SEND_NS);
}

static void cut(struct session_link *l)
{
	channel_close(&l->control);
	l->cut_since_ns = clock_now_ns();
}

int session_link_receive(struct session_link *l, json_t **msg, int64_t wake_ns)
{
	struct pollfd p[] = {
		{ .fd = l->control.fd, .events = POLLIN },
		{ .fd = l->handover_fd, .events = POLLIN },
	};
	struct timespec left = clock_left(wake_ns);
	int n = ppoll(p, 2, &left, NULL), ret = -ETIMEDOUT;

	if (n < 0)
		return errno == EINTR ? -ETIMEDOUT : -errno;
	if (p[1].revents & POLLIN) {
		if (take_new_connection(l))
			cut(l);
		return -ETIMEDOUT;
	}
	if (p[0].revents) {
		ret = channel_recv(&l->control, msg, clock_now_ns() + MESSAGE_NS);
		if (ret && ret != -EPROTO && ret != -EBADMSG && l->handover_fd >= 0)
			cut(l);
	}
	return ret;
}

int session_link_send(struct session_link *l, json_t *msg)
{
	int ret;

	if (session_link_is_cut(l)) {
		json_decref(msg);
		return 0;
	}
	ret = channel_send(&l->control, msg, clock_now_ns() + SEND_NS);
	if (!ret || l->handover_fd < 0)
		return ret;
	cut(l);
	return 0;
}
