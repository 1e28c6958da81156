/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches over a run at the server: limits, progress, and a control connection that may be cut and come back. */
#ifndef UBENCH_SESSION_WATCH_H
#define UBENCH_SESSION_WATCH_H

struct json_t;
struct session;

/*
 * Until the client's message that ends the run, then in *msg. 0, or the exit
 * code of the session after trouble was told.
 */
int session_watch(struct session *s, struct json_t **msg);

#endif
