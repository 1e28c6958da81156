/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a new control connection reaches the session whose old one was cut. Every session is a child of the server and reads
 * one end of a socket pair; the server, and with it each later child, has the other ends and the tokens of all sessions.
 */
#ifndef UBENCH_HANDOVER_H
#define UBENCH_HANDOVER_H

#include <sys/types.h>

#include "addr.h"
#include "secret.h"

struct channel;

/* One session as the server knows it. */
struct handover_place {
	pid_t pid;		/* 0: free */
	struct addr peer;
	char token[SECRET_NONCE_TEXT_BYTES];
	int fd;			/* of the pair, to the session */
};

/* Fill place->token and place->fd; the session's end into *session_fd. 0 or -errno. */
int handover_prepare(struct handover_place *place, int *session_fd);

/* The place with this token, or NULL. */
const struct handover_place *handover_find(const struct handover_place *places, size_t n,
					   const char *token);

/* Give a connection, greeted and with its key, to the session behind fd. 0 or -errno. */
int handover_send(int fd, const struct channel *ch);

/* The session: take a connection that has come; its descriptor replaces the one in *ch. 0 or -errno. */
int handover_receive(int fd, struct channel *ch);

#endif
