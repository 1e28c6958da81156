// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of one run: its life time and the figures derived from it. */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

double result_rate(uint64_t count, double seconds)
{
	return seconds > 0 ? (double)count / seconds : 0;
}

double result_cpu_percent(const struct result_cpu *cpu)
{
	return cpu->all_s > 0 ? 100 * cpu->busy_s / cpu->all_s : 0;
}

double result_us_per_packet(const struct result_cpu *cpu, uint64_t packets)
{
	return packets ? 1e6 * cpu->busy_s / (double)packets : NAN;
}

double result_lost_percent(const struct result_received *received)
{
	uint64_t sent = received->packets + received->lost_packets;

	return sent ? 100.0 * (double)received->lost_packets / (double)sent : 0;
}

void result_sent_add(struct result_sent *sum, const struct result_sent *s)
{
	sum->bytes += s->bytes;
	sum->packets += s->packets;
	sum->send_errors += s->send_errors;
}

void result_received_add(struct result_received *sum, const struct result_received *rx)
{
	sum->bytes += rx->bytes;
	sum->packets += rx->packets;
	sum->lost_packets += rx->lost_packets;
	sum->duplicates += rx->duplicates;
	sum->out_of_order += rx->out_of_order;
	sum->foreign += rx->foreign;
}

uint64_t result_transactions(const struct ubench_result *r)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < r->n_streams; i++)
		sum += r->streams[i].round_trips.count;
	return sum;
}

void result_init(struct ubench_result *r, const char *test)
{
	memset(r, 0, sizeof(*r));
	snprintf(r->test, sizeof(r->test), "%s", test);
	r->received.jitter_ms = NAN;
	r->fairness = NAN;
}

void result_free(struct ubench_result *r)
{
	size_t i;

	for (i = 0; i < r->n_command_line; i++)
		free(r->command_line[i]);
	free(r->command_line);
	free(r->intervals);
	free(r->streams);
	free(r->receivers);
	if (r->reverse)
		result_free(r->reverse);
	free(r->reverse);
	json_decref(r->environment);
	json_decref(r->verbs);
	memset(r, 0, sizeof(*r));
}

int result_set_command_line(struct ubench_result *r, int argc, char **argv)
{
	int i;

	r->command_line = calloc((size_t)argc + 1, sizeof(*r->command_line));
	if (!r->command_line)
		return -ENOMEM;
	for (i = 0; i < argc; i++) {
		r->command_line[i] = strdup(argv[i]);
		if (!r->command_line[i])
			return -ENOMEM;
		r->n_command_line++;
	}
	return 0;
}

/* Grow *array of *n elements by one copy of item, in steps of powers of two. */
static int append(void **array, size_t *n, const void *item, size_t size)
{
	if (!(*n & (*n - 1))) {
		void *grown = reallocarray(*array, *n ? *n * 2 : 1, size);

		if (!grown)
			return -ENOMEM;
		*array = grown;
	}
	memcpy((char *)*array + *n * size, item, size);
	++*n;
	return 0;
}

int result_add_interval(struct ubench_result *r, const struct result_interval *interval)
{
	void *array = r->intervals;
	int ret = append(&array, &r->n_intervals, interval, sizeof(*interval));

	r->intervals = array;
	return ret;
}

int result_add_stream(struct ubench_result *r, const struct result_stream *stream)
{
	void *array = r->streams;
	int ret = append(&array, &r->n_streams, stream, sizeof(*stream));

	r->streams = array;
	return ret;
}

int result_add_receiver(struct ubench_result *r, const struct result_receiver *receiver)
{
	void *array = r->receivers;
	int ret = append(&array, &r->n_receivers, receiver, sizeof(*receiver));

	r->receivers = array;
	return ret;
}

int result_add_reverse(struct ubench_result *r)
{
	if (r->reverse)
		return 0;
	r->reverse = malloc(sizeof(*r->reverse));
	if (!r->reverse)
		return -ENOMEM;
	result_init(r->reverse, r->test);
	r->reverse->message_bytes = r->message_bytes;
	return 0;
}

void result_set_error(struct ubench_result *r, int code, const char *where, const char *fmt, ...)
{
	va_list args;

	if (r->error.code)
		return;
	r->error.code = code;
	snprintf(r->error.where, sizeof(r->error.where), "%s", where);
	va_start(args, fmt);
	vsnprintf(r->error.message, sizeof(r->error.message), fmt, args);
	va_end(args);
}
