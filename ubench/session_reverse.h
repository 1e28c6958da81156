/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other direction at the server: what it sends back to the client, to the host of the control connection only. */
#ifndef UBENCH_SESSION_REVERSE_H
#define UBENCH_SESSION_REVERSE_H

#include <stdint.h>

struct protocol_begin;
struct protocol_end;
struct protocol_ready;
struct protocol_run;
struct session_test;

/* Start sending on every flow. 0 or -errno; session_reverse_stop() in any case. */
int session_reverse_begin(const struct session_test *test, const struct protocol_run *run,
			  const struct protocol_ready *ready, const struct protocol_begin *begin);

/* Bytes sent so far; 0 when it has not begun. */
uint64_t session_reverse_bytes(void);

/* Stop, and tell what was sent; end->flows is 0 when it had not begun. */
void session_reverse_stop(struct protocol_end *end);

#endif
