/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of a run over the control connection, in this order:
 *   server: hello      client: auth (if the hello has a challenge)
 *                      client: run      server: ready
 *                      client: begin (both directions at once only)
 *   ... data packets ...                    server: progress, as often as asked for
 *   client: end        server: result
 * When the connection is cut in between, the client makes a new one, on which
 * the greeting is followed by
 *                      client: resume   server: resumed
 * and then by what is still to come. An "error" message from the server can stand in for any of its own.
 * Packing returns a new reference or NULL; parsing is pure, trusts nothing
 * and returns 0 or -EPROTO.
 */
#ifndef UBENCH_PROTOCOL_H
#define UBENCH_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr.h"
#include "clock_id.h"
#include "drops.h"
#include "options.h"
#include "receiver.h"
#include "result.h"
#include "secret.h"

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
	char clock_id[CLOCK_ID_BYTES];	/* of the client's send times; "": not known */
	uint64_t nonce;			/* of the run; 0: the server's choice */
	bool has_gro;			/* wants packets joined */
	/* Both directions at once: how the server is to send. */
	bool is_bidirectional;
	long batch, gso;		/* as in struct options */
	double pps;
	/* Not part of the message: filled in by the server. */
	struct addr peer;
	struct addr local;		/* where the control connection arrived */
};

struct protocol_ready {
	uint64_t nonce;
	uint64_t socket_bytes;		/* granted */
	char token[SECRET_NONCE_TEXT_BYTES];	/* to resume with; "": cannot be resumed */
	bool is_same_clock;		/* as the clock_id of the request */
	bool has_gro;			/* granted */
	unsigned int flows;
	uint16_t ports[OPTIONS_MAX_FLOWS];
};

/* Both directions at once: the client's end of each flow, to which the server may send from now on. */
struct protocol_begin {
	unsigned int flows;
	uint16_t ports[OPTIONS_MAX_FLOWS];
};

/* The sender's side of the account, one entry per flow. */
struct protocol_end {
	struct drops drops;		/* at the sender, meanwhile */
	uint64_t refused;		/* send_errors that are in drops.queue too */
	uint64_t send_socket_bytes;
	unsigned int flows;
	struct result_sent sent[OPTIONS_MAX_FLOWS];
	uint64_t warmup_bytes[OPTIONS_MAX_FLOWS];	/* before sent */
};

/* What has arrived so far, all flows together. */
struct protocol_progress {
	uint64_t packets;
	uint64_t bytes;			/* also of what the server sent; not part of the message */
	uint64_t socket_drops;
};

struct protocol_result {
	struct result_cpu cpu;		/* of the server's host, ready to end */
	struct drops drops;		/* there, meanwhile; of receiving only */
	unsigned int flows;
	struct receiver_counts counts[OPTIONS_MAX_FLOWS];
	struct protocol_end reverse;	/* what the server sent; flows 0: nothing */
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
struct json_t *protocol_begin_pack(const struct protocol_begin *begin);
int protocol_begin_parse(const struct json_t *msg, struct protocol_begin *begin);
struct json_t *protocol_resume(const char *token);
/* The token of a resume message, NULL for any other message, "" for a malformed one. */
const char *protocol_resume_token(const struct json_t *msg);
struct json_t *protocol_resumed(void);
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
