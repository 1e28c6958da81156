// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packs and parses the frames between a command in the guest and its caller on the host.
 */
#include "frame.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static size_t frame_payload_len(const uint8_t *header)
{
	return header[1] | (size_t)header[2] << 8 | (size_t)header[3] << 16 | (size_t)header[4] << 24;
}

/* Bytes still needed before the frame in the buffer goes on: the header, then the payload. */
static size_t frame_missing(const struct frame_parser *parser)
{
	if (parser->filled < FRAME_HEADER)
		return FRAME_HEADER - parser->filled;
	return FRAME_HEADER + frame_payload_len(parser->buffer) - parser->filled;
}

/*
 * Takes bytes of a stream, in pieces of any size, and hands on each frame that they complete.
 *
 * Returns 0, what the handler returned, or -EPROTO for a frame that cannot be: the stream is then of no more use.
 */
int frame_feed(struct frame_parser *parser, const uint8_t *data, size_t len, frame_handler *handler, void *context)
{
	while (len > 0) {
		size_t missing;
		int err;

		if (parser->filled == 0 && *data == 0) {
			data++;
			len--;
			continue;
		}
		missing = frame_missing(parser);
		if (missing > len)
			missing = len;
		memcpy(parser->buffer + parser->filled, data, missing);
		parser->filled += missing;
		data += missing;
		len -= missing;
		if (parser->filled < FRAME_HEADER)
			continue;
		if (parser->buffer[0] > FRAME_LAST || frame_payload_len(parser->buffer) > FRAME_PAYLOAD)
			return -EPROTO;
		if (frame_missing(parser) > 0)
			continue;
		missing = parser->filled - FRAME_HEADER;
		parser->filled = 0;
		err = handler(context, parser->buffer[0], parser->buffer + FRAME_HEADER, missing);
		if (err)
			return err;
	}
	return 0;
}

/* Writes all of it, waiting where the descriptor does not block. Returns 0 or -errno. */
static int frame_write(int fd, const uint8_t *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };

			poll(&wait, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		} else if (n > 0) {
			data += n;
			len -= n;
		}
	}
	return 0;
}

/* Sends one frame of at most FRAME_PAYLOAD bytes of payload. Returns 0 or -errno. */
int frame_send(int fd, enum frame_type type, const void *payload, size_t len)
{
	uint8_t frame[FRAME_HEADER + FRAME_PAYLOAD] = { type, len, len >> 8, len >> 16, len >> 24 };

	if (len > FRAME_PAYLOAD)
		return -EMSGSIZE;
	if (len > 0)
		memcpy(frame + FRAME_HEADER, payload, len);
	return frame_write(fd, frame, FRAME_HEADER + len);
}

/* Sends the fillers that open a session. Returns 0 or -errno. */
int frame_fill(int fd)
{
	static const uint8_t fill[FRAME_FILL];

	return frame_write(fd, fill, sizeof(fill));
}
