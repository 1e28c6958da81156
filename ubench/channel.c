// SPDX-License-Identifier: GPL-2.0-or-later
/* The control connection: length-prefixed JSON objects over TCP, each call with a deadline. */
#include "channel.h"

#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "clock.h"

static void set_int(int fd, int level, int name, int value)
{
	/* Best effort: without it a dead peer is only noticed later. */
	(void)setsockopt(fd, level, name, &value, sizeof(value));
}

void channel_open(struct channel *ch, int fd)
{
	ch->fd = fd;
	set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, 10);
	set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
	set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
}

void channel_close(struct channel *ch)
{
	if (ch->fd >= 0)
		close(ch->fd);
	ch->fd = -1;
}

/* Wait until fd is ready. A signal only restarts the wait: who wants to react exits in its handler. */
static int wait_ready(int fd, short events, int64_t deadline_ns)
{
	struct pollfd p = { .fd = fd, .events = events };
	int ret;

	do {
		struct timespec left = clock_left(deadline_ns);

		ret = ppoll(&p, 1, &left, NULL);
	} while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -ETIMEDOUT;
}

static int send_all(int fd, const char *buf, size_t len, int64_t deadline_ns)
{
	while (len) {
		ssize_t n = send(fd, buf, len, MSG_NOSIGNAL);

		if (n >= 0) {
			buf += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			int ret = wait_ready(fd, POLLOUT, deadline_ns);

			if (ret)
				return ret;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

static int recv_all(int fd, char *buf, size_t len, int64_t deadline_ns)
{
	while (len) {
		ssize_t n = recv(fd, buf, len, 0);

		if (n > 0) {
			buf += n;
			len -= (size_t)n;
		} else if (!n) {
			return -ECONNRESET;
		} else if (errno == EAGAIN) {
			int ret = wait_ready(fd, POLLIN, deadline_ns);

			if (ret)
				return ret;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

int channel_send(struct channel *ch, json_t *msg, int64_t deadline_ns)
{
	size_t len = json_dumpb(msg, NULL, 0, JSON_COMPACT);
	uint32_t prefix = htobe32((uint32_t)len);
	int ret = -ENOMEM;
	char *frame;

	if (len > CHANNEL_MAX_BYTES) {
		json_decref(msg);
		return -EMSGSIZE;
	}
	frame = len ? malloc(sizeof(prefix) + len) : NULL;
	if (frame) {
		memcpy(frame, &prefix, sizeof(prefix));
		json_dumpb(msg, frame + sizeof(prefix), len, JSON_COMPACT);
		ret = send_all(ch->fd, frame, sizeof(prefix) + len, deadline_ns);
		free(frame);
	}
	json_decref(msg);
	return ret;
}

json_t *channel_parse(const char *payload, size_t len)
{
	json_t *msg = json_loadb(payload, len, JSON_REJECT_DUPLICATES, NULL);

	if (json_is_object(msg))
		return msg;
	json_decref(msg);
	return NULL;
}

int channel_recv(struct channel *ch, json_t **msg, int64_t deadline_ns)
{
	uint32_t len;
	char *buf;
	int ret;

	ret = recv_all(ch->fd, (char *)&len, sizeof(len), deadline_ns);
	if (ret)
		return ret;
	len = be32toh(len);
	if (!len || len > CHANNEL_MAX_BYTES)
		return -EPROTO;
	buf = malloc(len);
	if (!buf)
		return -ENOMEM;
	ret = recv_all(ch->fd, buf, len, deadline_ns);
	if (!ret) {
		*msg = channel_parse(buf, len);
		ret = *msg ? 0 : -EPROTO;
	}
	free(buf);
	return ret;
}

int64_t channel_int(const json_t *msg, const char *key, int64_t min, int64_t max, int64_t fallback)
{
	const json_t *v = json_object_get(msg, key);
	int64_t n = json_integer_value(v);

	return json_is_integer(v) && n >= min && n <= max ? n : fallback;
}

double channel_real(const json_t *msg, const char *key, double fallback)
{
	const json_t *v = json_object_get(msg, key);

	return json_is_number(v) ? json_number_value(v) : fallback;
}

const char *channel_str(const json_t *msg, const char *key)
{
	const char *s = json_string_value(json_object_get(msg, key));

	return s ? s : "";
}
