// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of a test's options into struct options; each as struct option_row's take(). Pure. */
#include "options_take.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "options.h"
#include "parse.h"
#include "sender.h"

static int parse_port(const char *text, uint16_t *port)
{
	long value;

	if (parse_int(text, 1, 65535, &value))
		return -EINVAL;
	*port = (uint16_t)value;
	return 0;
}

int options_take_host(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_host(value, o->host, sizeof(o->host), o->device, sizeof(o->device));
}

int options_take_ipv4(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->family = AF_INET;
	return 0;
}

int options_take_ipv6(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->family = AF_INET6;
	return 0;
}

int options_take_port(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_port(value, &o->port);
}

int options_take_limit(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_limit(value, &o->seconds, &o->packets);
}

int options_take_interval(void *opt, const char *value)
{
	struct options *o = opt;

	/* netperf's sign chooses how often it looks at the clock; ours is always on time. */
	return parse_seconds(value + (*value == '-'), &o->interval_s);
}

int options_take_headers(void *opt, const char *value)
{
	struct options *o = opt;
	long headers;

	if (parse_int(value, 0, 1, &headers))
		return -EINVAL;
	o->has_headers = headers;
	return 0;
}

int options_take_cpus(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_pair(value, 0, 1023, &o->local_cpu, &o->remote_cpu);
}

int options_take_send_only(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->is_send_only = true;
	return 0;
}

int options_take_bidir(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->is_bidirectional = true;
	return 0;
}

int options_take_flows(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_int(value, 1, OPTIONS_MAX_FLOWS, &o->flows);
}

int options_take_iterations(void *opt, const char *value)
{
	struct options *o = opt;

	if (parse_pair(value, 1, 1000, &o->max_iterations, &o->min_iterations))
		return -EINVAL;
	return o->max_iterations >= o->min_iterations ? 0 : -EINVAL;
}

int options_take_confidence(void *opt, const char *value)
{
	struct options *o = opt;

	if (o->max_iterations == 1) {
		o->max_iterations = 10;
		o->min_iterations = 3;
	}
	return parse_pair(value, 1, 99, &o->confidence_percent, &o->width_percent);
}

int options_take_cpu_figures(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->has_cpu = true;
	return 0;
}

int options_take_delay(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->has_delay = true;
	return 0;
}

int options_take_omit(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_seconds(value, &o->warmup_s);
}

int options_take_batch(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_int(value, 1, SENDER_MAX_BATCH, &o->batch);
}

int options_take_gso(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_int(value, 1, SENDER_MAX_GSO, &o->gso);
}

int options_take_zerocopy(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->has_zerocopy = true;
	return 0;
}

int options_take_gro(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->has_gro = true;
	return 0;
}

int options_take_pps(void *opt, const char *value)
{
	struct options *o = opt;
	uint64_t pps;

	if (parse_size(value, &pps) || !pps || pps > 1000000000)
		return -EINVAL;
	o->pps = (double)pps;
	return 0;
}

int options_take_rate(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_size(value, &o->bits_per_second) || !o->bits_per_second ? -EINVAL : 0;
}

int options_take_df(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->has_df = true;
	return 0;
}

int options_take_ttl(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_int(value, 1, 255, &o->ttl);
}

int options_take_receiver(void *opt, const char *value)
{
	struct options *o = opt;

	if (!*value || strlen(value) >= sizeof(o->host) ||
	    o->n_receivers == OPTIONS_MAX_RECEIVERS - 1)
		return -EINVAL;
	o->receivers[o->n_receivers++] = value;
	return 0;
}

int options_take_key_file(void *opt, const char *value)
{
	((struct options *)opt)->key_file = value;
	return 0;
}

int options_take_json(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->form = OPTIONS_JSON;
	return 0;
}

int options_take_json_stream(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->form = OPTIONS_JSON_STREAM;
	return 0;
}

int options_take_csv(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->form = OPTIONS_CSV;
	return 0;
}

int options_take_output(void *opt, const char *value)
{
	((struct options *)opt)->output = value;
	return 0;
}

int options_take_fail_if(void *opt, const char *value)
{
	struct options *o = opt;

	if (o->n_fail_if == OPTIONS_MAX_FAIL_IF)
		return -EINVAL;
	return fail_if_parse(value, &o->fail_if[o->n_fail_if++]);
}

int options_take_dry_run(void *opt, const char *value)
{
	(void)value;
	((struct options *)opt)->is_dry_run = true;
	return 0;
}

int options_take_message(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_size(value, &o->message_bytes) || !o->message_bytes ? -EINVAL : 0;
}

int options_take_pair(void *opt, const char *value)
{
	struct options *o = opt;
	long request = (long)o->message_bytes, response = (long)o->response_bytes;

	if (parse_pair(value, 1, INT32_MAX, &request, &response))
		return -EINVAL;
	o->message_bytes = (uint64_t)request;
	o->response_bytes = (uint64_t)response;
	return 0;
}

int options_take_local_buffer(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_size(value, &o->local_socket_bytes);
}

int options_take_remote_buffer(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_size(value, &o->remote_socket_bytes);
}

int options_take_data_host(void *opt, const char *value)
{
	struct options *o = opt;

	if (strlen(value) >= sizeof(o->data_host))
		return -EINVAL;
	strcpy(o->data_host, value);
	return 0;
}

int options_take_keywords(void *opt, const char *value)
{
	struct options *o = opt;

	o->form = OPTIONS_KEYWORDS;
	o->keywords = value;
	return 0;
}

int options_take_data_port(void *opt, const char *value)
{
	struct options *o = opt;

	return parse_port(value, &o->data_port);
}
