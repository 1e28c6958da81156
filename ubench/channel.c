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
#include <sodium.h>

#include "clock.h"

static void set_int(int fd, int level, int name, int value)
{
	/* Best effort: without it a dead peer is only noticed later. */
	(void)setsockopt(fd, level, name, &value, sizeof(value));
}

void channel_open(struct channel *ch, int fd)
{
	*ch = (struct channel){ .fd = fd };
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

void channel_set_key(struct channel *ch, const struct secret *key, bool is_server)
{
	ch->has_key = true;
	ch->is_server = is_server;
	ch->key = *key;
	ch->n_sent = ch->n_received = 0;
}

/* Code of a message: over who says it, its number, and its text. */
static void authenticate(const struct channel *ch, bool from_server, uint64_t number,
			 const char *text, size_t len, unsigned char *code)
{
	unsigned char head[1 + sizeof(number)] = { from_server };
	crypto_auth_hmacsha512256_state state;

	number = htobe64(number);
	memcpy(head + 1, &number, sizeof(number));
	crypto_auth_hmacsha512256_init(&state, ch->key.key, sizeof(ch->key.key));
	crypto_auth_hmacsha512256_update(&state, head, sizeof(head));
	crypto_auth_hmacsha512256_update(&state, (const unsigned char *)text, len);
	crypto_auth_hmacsha512256_final(&state, code);
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
			return -ENODATA;
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

static size_t code_bytes(const struct channel *ch)
{
	return ch->has_key ? crypto_auth_hmacsha512256_BYTES : 0;
}

/* A frame is the length of the text and code, the text, the code. */
static int send_text(struct channel *ch, const json_t *msg, size_t len, int64_t deadline_ns)
{
	uint32_t prefix = htobe32((uint32_t)(len + code_bytes(ch)));
	size_t total = sizeof(prefix) + len + code_bytes(ch);
	char *frame = malloc(total), *text = frame + sizeof(prefix);
	int ret;

	if (!frame)
		return -ENOMEM;
	memcpy(frame, &prefix, sizeof(prefix));
	json_dumpb(msg, text, len, JSON_COMPACT);
	if (ch->has_key)
		authenticate(ch, ch->is_server, ch->n_sent++, text, len,
			     (unsigned char *)text + len);
	ret = send_all(ch->fd, frame, total, deadline_ns);
	free(frame);
	return ret;
}

int channel_send(struct channel *ch, json_t *msg, int64_t deadline_ns)
{
	size_t len = json_dumpb(msg, NULL, 0, JSON_COMPACT);
	int ret = -ENOMEM;

	if (len + code_bytes(ch) > CHANNEL_MAX_BYTES)
		ret = -EMSGSIZE;
	else if (len)
		ret = send_text(ch, msg, len, deadline_ns);
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

/* Check and strip the code. 0 or -EBADMSG. */
static int verify(struct channel *ch, const char *text, uint32_t *len)
{
	unsigned char code[crypto_auth_hmacsha512256_BYTES];

	if (!ch->has_key)
		return 0;
	if (*len <= sizeof(code))
		return -EBADMSG;
	*len -= (uint32_t)sizeof(code);
	authenticate(ch, !ch->is_server, ch->n_received++, text, *len, code);
	return sodium_memcmp(code, text + *len, sizeof(code)) ? -EBADMSG : 0;
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
	if (!ret)
		ret = verify(ch, buf, &len);
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
