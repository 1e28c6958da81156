/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of a run over the control connection, in this order:
 *   server: hello      client: auth (if the hello has a challenge)
 *                      client: run      server: ready
 *   ... data packets ...                    server: progress, as often as asked for
 *   client: end        server: result
 * An "error" message from the server can stand in for any of its own.
 * Packing returns a new reference or NULL; parsing is pure, trusts nothing
 * and returns 0 or -EPROTO.
 */
#ifndef UBENCH_PROTOCOL_H
#define UBENCH_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr.h"
#include "options.h"
#include "receiver.h"
#include "result.h"

struct json_t;

/* What the client wants the server to set up. */
struct protocol_run {
	char test[32];
	char host[128];			/* the client's name, for the server's report */
	char data_address[80];		/* numeric; "": where the control connection arrives */
	int family;			/* AF_INET or AF_INET6 of the data */
	unsigned int flows;		/* 1 to OPTIONS_MAX_FLOWS */
	uint64_t message_bytes;		/* 1 to 64 MiB */
	uint64_t socket_bytes;		/* receive buffer to ask for; 0: default */
	uint16_t data_port;		/* of the first flow; 0: any */
	long cpu;			/* or AFFINITY_ANY */
	bool has_warmup;
	uint64_t response_bytes;	/* UDP_RR; else 0 */
	unsigned int progress_ms;	/* between progress messages; 0: none */
	/* Not part of the message: filled in by the server. */
	struct addr peer;
	struct addr local;		/* where the control connection arrived */
};

struct protocol_ready {
	uint64_t nonce;
	uint64_t socket_bytes;		/* granted */
	unsigned int flows;
	uint16_t ports[OPTIONS_MAX_FLOWS];
};

/* The sender's side of the account, one entry per flow. */
struct protocol_end {
	uint64_t queue_drops;
	uint64_t send_socket_bytes;
	unsigned int flows;
	struct result_sent sent[OPTIONS_MAX_FLOWS];
	uint64_t warmup_bytes[OPTIONS_MAX_FLOWS];	/* before sent */
};

/* What has arrived so far, all flows together. */
struct protocol_progress {
	uint64_t packets;
	uint64_t socket_drops;
};

struct protocol_result {
	struct result_cpu cpu;		/* of the server's host, ready to end */
	unsigned int flows;
	struct receiver_counts counts[OPTIONS_MAX_FLOWS];
};

/* challenge: the server's nonce, or NULL when it has no key. */
struct json_t *protocol_hello(const char *challenge);
/* The client's nonce: what follows is made with the key of both. */
struct json_t *protocol_auth(const char *nonce);
struct json_t *protocol_error(const char *message);
/* The same with the exit code the client should leave with, an enum ubench_exit. */
struct json_t *protocol_error_with(const char *message, int code);
struct json_t *protocol_run_pack(const struct protocol_run *run);
int protocol_run_parse(const struct json_t *msg, struct protocol_run *run);
struct json_t *protocol_ready_pack(const struct protocol_ready *ready);
int protocol_ready_parse(const struct json_t *msg, struct protocol_ready *ready);
struct json_t *protocol_end_pack(const struct protocol_end *end);
int protocol_end_parse(const struct json_t *msg, struct protocol_end *end);
struct json_t *protocol_progress_pack(const struct protocol_progress *progress);
int protocol_progress_parse(const struct json_t *msg, struct protocol_progress *progress);
struct json_t *protocol_result_pack(const struct protocol_result *result);
int protocol_result_parse(const struct json_t *msg, struct protocol_result *result);

/* Whether msg is of this type; version of a hello, -1 if it is none. */
int protocol_is(const struct json_t *msg, const char *type);
int64_t protocol_hello_version(const struct json_t *msg);
/* The nonce of a hello or an auth, "" when it has none or a malformed one. */
const char *protocol_nonce(const struct json_t *msg);
/* The text of an error message, or NULL for any other message. */
const char *protocol_error_text(const struct json_t *msg);
/* The exit code of an error message: UBENCH_EXIT_UNSUPPORTED or UBENCH_EXIT_FAILED. */
int protocol_error_code(const struct json_t *msg);

#endif
