/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that pack and parse control messages have in common. */
#ifndef UBENCH_PROTOCOL_JSON_H
#define UBENCH_PROTOCOL_JSON_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "channel.h"
#include "options.h"

static inline json_t *protocol_integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* A counter, 0 when absent or malformed. */
static inline uint64_t protocol_counter(const json_t *o, const char *key)
{
	return (uint64_t)channel_int(o, key, 0, INT64_MAX, 0);
}

/* The array msg[key], of 1 to OPTIONS_MAX_FLOWS elements, or NULL. */
static inline const json_t *protocol_flows(const json_t *msg, const char *key, unsigned int *flows)
{
	const json_t *array = json_object_get(msg, key);
	size_t n = json_array_size(array);

	if (!n || n > OPTIONS_MAX_FLOWS)
		return NULL;
	*flows = (unsigned int)n;
	return array;
}

/* A string member of at most size - 1 bytes. 0 or -EPROTO. */
static inline int protocol_string(const json_t *msg, const char *key, char *buf, size_t size)
{
	const char *s = channel_str(msg, key);

	if (strlen(s) >= size)
		return -EPROTO;
	strcpy(buf, s);
	return 0;
}

#endif
