/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames that a command in the guest and its caller on the host exchange over a byte stream, a virtio serial port.
 *
 * A frame is a type byte, a 32-bit little-endian length and that many bytes. A zero byte between frames is a filler.
 * The host opens a session with FRAME_FILL fillers, which end whatever an earlier caller left unfinished, and
 * FRAME_HELLO; the guest answers with FRAME_READY and the same token. What came before that answer is stale.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_HEADER 5
#define FRAME_PAYLOAD 16384
#define FRAME_INPUT 4096 /* PIPE_BUF: what a pipe that polls writable takes at once */
#define FRAME_FILL (FRAME_HEADER + FRAME_PAYLOAD)
#define FRAME_TOKEN 16

enum frame_type {
	FRAME_HELLO = 1, /* host: token; ends the command of an earlier session */
	FRAME_READY,     /* guest: token */
	FRAME_RUN,       /* host: command line for sh -c, ends with a newline */
	FRAME_RUN_TTY,   /* host: the same on a terminal of its own; rows and columns as FRAME_WINDOW, then the command */
	FRAME_STDIN,     /* host: at most FRAME_INPUT bytes, none at the end of input; only after FRAME_WANT */
	FRAME_WANT,      /* guest: takes one more FRAME_STDIN */
	FRAME_WINDOW,    /* host: rows and columns, 16 bits each, little-endian */
	FRAME_SIGNAL,    /* host: signal number for the command's process group, one byte */
	FRAME_STDOUT,    /* guest: output */
	FRAME_STDERR,    /* guest: output */
	FRAME_EXIT,      /* guest: exit code, one byte, 128 + signal when one ended the command; ends the session's command */
	FRAME_LAST = FRAME_EXIT
};

struct frame_parser {
	uint8_t buffer[FRAME_HEADER + FRAME_PAYLOAD];
	size_t filled;
};

/* Called for each whole frame; a non-zero return ends the feeding and is handed on. */
typedef int frame_handler(void *context, enum frame_type type, const uint8_t *payload, size_t len);

int frame_feed(struct frame_parser *parser, const uint8_t *data, size_t len, frame_handler *handler, void *context);
int frame_send(int fd, enum frame_type type, const void *payload, size_t len);
int frame_fill(int fd);

#endif
