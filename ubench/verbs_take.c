// SPDX-License-Identifier: GPL-2.0-or-later
/* What each option of VERBS_UD does with its value. */
#include "verbs_take.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "verbs_options.h"

static int parse_u32(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
	uint64_t v;

	if (parse_size(text, &v) || v < min || v > max)
		return -EINVAL;
	*value = (uint32_t)v;
	return 0;
}

/* A row's function for a number of the options. */
#define TAKE_U32(function, member, min, max) \
	int function(void *into, const char *value) \
	{ \
		return parse_u32(value, min, max, &((struct verbs_options *)into)->member); \
	}

TAKE_U32(verbs_take_message, message_bytes, 1, VERBS_MAX_MESSAGE)
TAKE_U32(verbs_take_qps, qps, 1, VERBS_MAX_QPS)
TAKE_U32(verbs_take_signal_rate, signal_rate, 1, UINT32_MAX)
TAKE_U32(verbs_take_post_list, post_list, 1, VERBS_MAX_LIST)
TAKE_U32(verbs_take_send_depth, send_depth, 1, VERBS_MAX_DEPTH)
TAKE_U32(verbs_take_recv_depth, recv_depth, 1, VERBS_MAX_DEPTH)
TAKE_U32(verbs_take_inline, inline_bytes, 0, VERBS_MAX_MESSAGE)
TAKE_U32(verbs_take_fault_cq, fault_cq, 1, VERBS_MAX_DEPTH)

int verbs_take_count(void *into, const char *value)
{
	struct verbs_options *opt = into;

	return parse_size(value, &opt->count) || !opt->count ? -EINVAL : 0;
}

int verbs_take_seconds(void *into, const char *value)
{
	return parse_seconds(value, &((struct verbs_options *)into)->global.seconds);
}

int verbs_take_fault_wr(void *into, const char *value)
{
	return parse_size(value, &((struct verbs_options *)into)->fault_wr);
}

int verbs_take_events(void *into, const char *value)
{
	(void)value;
	((struct verbs_options *)into)->uses_events = true;
	return 0;
}

/* "C:USECS" */
int verbs_take_moderation(void *into, const char *text)
{
	struct verbs_options *opt = into;
	char *colon = strchr(text, ':');
	char count[16];
	long c, usecs;

	if (!colon || (size_t)(colon - text) >= sizeof(count))
		return -EINVAL;
	snprintf(count, sizeof(count), "%.*s", (int)(colon - text), text);
	if (parse_int(count, 1, UINT16_MAX, &c) || parse_int(colon + 1, 0, UINT16_MAX, &usecs))
		return -EINVAL;
	opt->moderation_count = (uint16_t)c;
	opt->moderation_usecs = (uint16_t)usecs;
	return 0;
}

int verbs_take_post_api(void *into, const char *text)
{
	static const char *const names[] = { "auto", "post_send", "wr" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(text, names[i]))
			continue;
		((struct verbs_options *)into)->post_api = (enum verbs_post_api)i;
		return 0;
	}
	return -EINVAL;
}

int verbs_take_qkey(void *into, const char *text)
{
	struct verbs_options *opt = into;
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text || value > UINT32_MAX)
		return -EINVAL;
	opt->has_qkey = true;
	opt->qkey = (uint32_t)value;
	return 0;
}

static int copy_text(const char *text, char *buf, size_t size)
{
	if (!*text || strlen(text) >= size)
		return -EINVAL;
	strcpy(buf, text);
	return 0;
}

int verbs_take_device(void *into, const char *value)
{
	struct verbs_options *opt = into;

	opt->way = VERBS_BY_DEVICE;
	return copy_text(value, opt->device.name, sizeof(opt->device.name));
}

int verbs_take_port(void *into, const char *value)
{
	struct verbs_options *opt = into;
	long number;

	opt->way = VERBS_BY_DEVICE;
	if (parse_int(value, 1, 255, &number))
		return -EINVAL;
	opt->device.port = (unsigned int)number;
	return 0;
}

int verbs_take_gid_index(void *into, const char *value)
{
	struct verbs_options *opt = into;
	long number;

	opt->way = VERBS_BY_DEVICE;
	if (parse_int(value, 0, 255, &number))
		return -EINVAL;
	opt->device.gid_index = (int)number;
	return 0;
}

int verbs_take_numa_node(void *into, const char *value)
{
	return parse_int(value, 0, 1023, &((struct verbs_options *)into)->numa_node);
}

int verbs_take_cm(void *into, const char *value)
{
	(void)value;
	((struct verbs_options *)into)->way = VERBS_BY_CM;
	return 0;
}

int verbs_take_group(void *into, const char *value)
{
	struct verbs_options *opt = into;

	opt->way = VERBS_BY_GROUP;
	return copy_text(value, opt->group, sizeof(opt->group));
}

/* "DEV[:PORT[:GID_INDEX]]" */
static int parse_device(const char *text, struct verbs_device_choice *choice)
{
	char copy[96], *port, *gid = NULL;
	long value;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	port = strchr(copy, ':');
	if (port)
		*port++ = '\0';
	if (port)
		gid = strchr(port, ':');
	if (gid)
		*gid++ = '\0';
	if (!*copy || strlen(copy) >= sizeof(choice->name))
		return -EINVAL;
	strcpy(choice->name, copy);
	if (port && *port) {
		if (parse_int(port, 1, 255, &value))
			return -EINVAL;
		choice->port = (unsigned int)value;
	}
	if (gid) {
		if (parse_int(gid, 0, 255, &value))
			return -EINVAL;
		choice->gid_index = (int)value;
	}
	return 0;
}

int verbs_take_peer_device(void *into, const char *value)
{
	struct verbs_options *opt = into;

	opt->way = VERBS_BY_DEVICE;
	return parse_device(value, &opt->peer_device);
}

int verbs_take_source(void *into, const char *value)
{
	struct verbs_options *opt = into;

	return copy_text(value, opt->source, sizeof(opt->source));
}

int verbs_take_peer_address(void *into, const char *value)
{
	struct verbs_options *opt = into;

	return copy_text(value, opt->peer_address, sizeof(opt->peer_address));
}

int verbs_take_receiver(void *into, const char *value)
{
	struct verbs_options *opt = into;

	if (opt->n_receivers == VERBS_MAX_RECEIVERS)
		return -EINVAL;
	opt->receivers[opt->n_receivers++] = value;
	return 0;
}
