/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control connection of a session, which outlives being cut: the client may come back on a new one. */
#ifndef UBENCH_SESSION_LINK_H
#define UBENCH_SESSION_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

struct session_link {
	struct channel control;
	int handover_fd;	/* where a new connection arrives, or -1 */
	int64_t cut_since_ns;	/* 0: it is connected */
};

/*
 * Wait until wake_ns for the client's next message. 0 with *msg; -ETIMEDOUT;
 * or the -errno of a connection that is cut and of which no new one has come
 * yet: the caller decides how long to go on asking. A client that comes
 * back is told so.
 */
int session_link_receive(struct session_link *l, struct json_t **msg, int64_t wake_ns);

/* As channel_send(); nothing is sent, and 0 returned, while the connection is cut. Takes msg over. */
int session_link_send(struct session_link *l, struct json_t *msg);

static inline bool session_link_is_cut(const struct session_link *l)
{
	return l->cut_since_ns != 0;
}

#endif
