/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control connection: length-prefixed JSON objects over TCP, each call with a deadline. */
#ifndef UBENCH_CHANNEL_H
#define UBENCH_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "secret.h"

struct json_t;

#define CHANNEL_PORT 12866
#define CHANNEL_PROTOCOL 1
/* Cap of one message, checked before anything is allocated for it. */
#define CHANNEL_MAX_BYTES 262144u

struct channel {
	int fd;		/* non-blocking, owned; -1: closed */
	/* With a key every message carries a code that only an end with the key can make. */
	bool has_key;
	bool is_server;
	struct secret key;
	uint64_t n_sent, n_received;	/* under the key: no message can be left out or repeated */
};

/* Take over a connected socket: keepalive, no delay, bounded retransmission. */
void channel_open(struct channel *ch, int fd);
void channel_close(struct channel *ch);

/* From the next message on, both ways, authenticate with the connection's key. */
void channel_set_key(struct channel *ch, const struct secret *key, bool is_server);

/*
 * 0, -ETIMEDOUT, -EMSGSIZE, -ENOMEM or the socket's -errno. Takes over the
 * reference to msg in every case; NULL counts as out of memory.
 */
int channel_send(struct channel *ch, struct json_t *msg, int64_t deadline_ns);

/*
 * The next message into *msg (a new reference, always an object). 0,
 * -ETIMEDOUT, -ENODATA when the peer closed, -EPROTO for what is not a
 * message, -EBADMSG for one that was not made with the key, or the socket's
 * -errno. After an error the stream is out of step: close it.
 */
int channel_recv(struct channel *ch, struct json_t **msg, int64_t deadline_ns);

/* Payload of one message to a JSON object, or NULL. Pure. */
struct json_t *channel_parse(const char *payload, size_t len);

/* Member access that cannot fail: the fallback for what is absent or of another type or range. */
int64_t channel_int(const struct json_t *msg, const char *key, int64_t min, int64_t max,
		    int64_t fallback);
double channel_real(const struct json_t *msg, const char *key, double fallback);
const char *channel_str(const struct json_t *msg, const char *key);	/* "" when absent */

#endif
