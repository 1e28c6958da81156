// SPDX-License-Identifier: GPL-2.0-or-later
/* Joins the iterations of a test into one result. Pure. */
#include "result.h"

#include <string.h>

/* Runs follow each other: durations add up. */
static void pool_sent(struct result_sent *sum, const struct result_sent *s)
{
	sum->seconds += s->seconds;
	result_sent_add(sum, s);
}

/* Jitter is the mean, weighted by packets. */
static void pool_received(struct result_received *sum, const struct result_received *rx)
{
	double packets = (double)sum->packets, more = (double)rx->packets;

	if (!rx->is_known)
		return;
	if (!sum->is_known) {
		*sum = *rx;
		return;
	}
	if (packets + more > 0)
		sum->jitter_ms = (sum->jitter_ms * packets + rx->jitter_ms * more) /
				 (packets + more);
	sum->seconds += rx->seconds;
	result_received_add(sum, rx);
}

static void pool_cpu(struct result_cpu *sum, const struct result_cpu *cpu)
{
	sum->is_known |= cpu->is_known;
	sum->busy_s += cpu->busy_s;
	sum->all_s += cpu->all_s;
}

static void pool_loss(struct result_loss *sum, const struct result_loss *loss)
{
	sum->sender_queue += loss->sender_queue;
	sum->transmit_ring += loss->transmit_ring;
	sum->receive_ring += loss->receive_ring;
	sum->receive_checksum += loss->receive_checksum;
	sum->receive_socket += loss->receive_socket;
	sum->receive_queue += loss->receive_queue;
	sum->wrong_qkey += loss->wrong_qkey;
	sum->unknown += loss->unknown;
}

/* A run without a receiver's count (it failed) leaves what it sent out of the account. */
static void pool_figures(struct ubench_result *sum, const struct ubench_result *one)
{
	if (sum->received.is_known && !one->received.is_known)
		return;
	pool_sent(&sum->sent, &one->sent);
	pool_received(&sum->received, &one->received);
	pool_cpu(&sum->local_cpu, &one->local_cpu);
	pool_cpu(&sum->remote_cpu, &one->remote_cpu);
	pool_loss(&sum->loss, &one->loss);
	sum->fairness = one->fairness;
	sum->fragments_per_message = one->fragments_per_message;
	sum->send_socket_bytes = one->send_socket_bytes;
	sum->recv_socket_bytes = one->recv_socket_bytes;
	sum->has_gro = one->has_gro;
}

/* The other direction, and the further receivers: those of the first run in the same places. */
static int pool_parts(struct ubench_result *sum, struct ubench_result *one)
{
	size_t i;
	int ret = 0;

	if (one->reverse) {
		ret = result_add_reverse(sum);
		if (ret)
			return ret;
		memcpy(sum->reverse->host, one->reverse->host, sizeof(sum->reverse->host));
		memcpy(sum->reverse->peer, one->reverse->peer, sizeof(sum->reverse->peer));
		ret = result_pool(sum->reverse, one->reverse);
	}
	for (i = 0; i < one->n_receivers && !ret; i++) {
		if (i >= sum->n_receivers) {
			ret = result_add_receiver(sum, &one->receivers[i]);
			continue;
		}
		pool_received(&sum->receivers[i].received, &one->receivers[i].received);
		pool_loss(&sum->receivers[i].loss, &one->receivers[i].loss);
	}
	return ret;
}

int result_pool(struct ubench_result *sum, struct ubench_result *one)
{
	size_t i;
	int ret;

	pool_figures(sum, one);
	ret = pool_parts(sum, one);
	for (i = 0; i < one->n_streams && !ret; i++)
		ret = result_add_stream(sum, &one->streams[i]);
	for (i = 0; i < one->n_intervals && !ret; i++)
		ret = result_add_interval(sum, &one->intervals[i]);
	if (!sum->environment) {
		sum->environment = one->environment;
		one->environment = NULL;
	}
	if (!sum->error.code)
		sum->error = one->error;
	result_free(one);
	return ret;
}
