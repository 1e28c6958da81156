// SPDX-License-Identifier: GPL-2.0-or-later
/* The messages of a VERBS_UD run over the control connection, packed and parsed. */
#include "verbs_protocol.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "affinity.h"
#include "channel.h"
#include "protocol.h"

#define QPN_MAX 0xffffff

static const char *const way_names[] = {
	[VERBS_BY_CM] = "rdma_cm",
	[VERBS_BY_DEVICE] = "device",
	[VERBS_BY_GROUP] = "multicast",
};

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* A string member of at most size - 1 bytes. */
static int take_string(const json_t *msg, const char *key, char *buf, size_t size)
{
	const char *s = channel_str(msg, key);

	if (strlen(s) >= size)
		return -EPROTO;
	strcpy(buf, s);
	return 0;
}

json_t *verbs_request_pack(const struct verbs_request *r)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:b, s:s, s:i, s:i, s:i, s:i, s:i}",
			 "type", "run", "test", VERBS_TEST_NAME, "host", r->host,
			 "way", way_names[r->way], "address", r->address, "group", r->group,
			 "nonce", count(r->nonce), "flows", (int)r->flows,
			 "message_bytes", (int)r->message_bytes,
			 "recv_depth", (int)r->recv_depth, "uses_events", r->uses_events,
			 "device", r->device.name, "port", (int)r->device.port,
			 "gid_index", r->device.gid_index,
			 "moderation_count", r->moderation_count,
			 "moderation_usecs", r->moderation_usecs, "cpu", (int)r->cpu);
}

static int parse_way(const json_t *msg, enum verbs_way *way)
{
	size_t i;

	for (i = 0; i < sizeof(way_names) / sizeof(*way_names); i++) {
		if (strcmp(channel_str(msg, "way"), way_names[i]))
			continue;
		*way = (enum verbs_way)i;
		return 0;
	}
	return -EPROTO;
}

int verbs_request_parse(const json_t *msg, struct verbs_request *r)
{
	memset(r, 0, sizeof(*r));
	if (!protocol_is(msg, "run") || parse_way(msg, &r->way) ||
	    take_string(msg, "host", r->host, sizeof(r->host)) ||
	    take_string(msg, "address", r->address, sizeof(r->address)) ||
	    take_string(msg, "group", r->group, sizeof(r->group)) ||
	    take_string(msg, "device", r->device.name, sizeof(r->device.name)))
		return -EPROTO;
	r->nonce = (uint64_t)channel_int(msg, "nonce", 0, INT64_MAX, 0);
	r->flows = (uint32_t)channel_int(msg, "flows", 1, VERBS_MAX_QPS, 0);
	r->message_bytes = (uint32_t)channel_int(msg, "message_bytes", 1, VERBS_MAX_MESSAGE, 0);
	r->recv_depth = (uint32_t)channel_int(msg, "recv_depth", 1, VERBS_MAX_DEPTH, 0);
	r->uses_events = json_is_true(json_object_get(msg, "uses_events"));
	r->device.port = (unsigned int)channel_int(msg, "port", 0, 255, 0);
	r->device.gid_index = (int)channel_int(msg, "gid_index", 0, 255, VERBS_GID_INDEX_ANY);
	r->moderation_count = (uint16_t)channel_int(msg, "moderation_count", 0, UINT16_MAX, 0);
	r->moderation_usecs = (uint16_t)channel_int(msg, "moderation_usecs", 0, UINT16_MAX, 0);
	r->cpu = (long)channel_int(msg, "cpu", 0, 1023, AFFINITY_ANY);
	return r->flows && r->message_bytes && r->recv_depth ? 0 : -EPROTO;
}

json_t *verbs_setup_pack(const struct verbs_setup *s)
{
	json_t *qpns = json_array();
	char gid[INET6_ADDRSTRLEN] = "";
	uint32_t i;

	inet_ntop(AF_INET6, s->gid.raw, gid, sizeof(gid));
	for (i = 0; i < s->n_qps; i++)
		json_array_append_new(qpns, json_integer(s->qpns[i]));
	return json_pack("{s:s, s:i, s:o, s:o, s:i, s:s, s:b, s:i}", "type", "setup",
			 "cm_port", s->cm_port, "qpns", qpns, "qkey", count(s->qkey),
			 "lid", s->lid, "gid", gid, "is_ethernet", s->is_ethernet,
			 "mtu_bytes", (int)s->mtu_bytes);
}

int verbs_setup_parse(const json_t *msg, struct verbs_setup *s)
{
	const json_t *qpns = json_object_get(msg, "qpns");
	uint32_t i;

	memset(s, 0, sizeof(*s));
	if (!protocol_is(msg, "setup") || json_array_size(qpns) > VERBS_MAX_QPS ||
	    inet_pton(AF_INET6, channel_str(msg, "gid"), s->gid.raw) != 1)
		return -EPROTO;
	s->n_qps = (uint32_t)json_array_size(qpns);
	for (i = 0; i < s->n_qps; i++) {
		json_int_t qpn = json_integer_value(json_array_get(qpns, i));

		if (qpn < 1 || qpn > QPN_MAX)
			return -EPROTO;
		s->qpns[i] = (uint32_t)qpn;
	}
	s->cm_port = (uint16_t)channel_int(msg, "cm_port", 0, UINT16_MAX, 0);
	s->qkey = (uint32_t)channel_int(msg, "qkey", 0, UINT32_MAX, 0);
	s->lid = (uint16_t)channel_int(msg, "lid", 0, UINT16_MAX, 0);
	s->is_ethernet = json_is_true(json_object_get(msg, "is_ethernet"));
	s->mtu_bytes = (uint32_t)channel_int(msg, "mtu_bytes", 0, INT32_MAX, 0);
	return 0;
}

json_t *verbs_ready_pack(void)
{
	return json_pack("{s:s}", "type", "ready");
}

json_t *verbs_end_pack(const struct verbs_end *end)
{
	json_t *sent = json_array();
	uint32_t i;

	for (i = 0; i < end->flows; i++)
		json_array_append_new(sent, count(end->sent[i]));
	return json_pack("{s:s, s:o}", "type", "end", "sent", sent);
}

int verbs_end_parse(const json_t *msg, struct verbs_end *end)
{
	const json_t *sent = json_object_get(msg, "sent");
	uint32_t i;

	memset(end, 0, sizeof(*end));
	if (!protocol_is(msg, "end") || !json_array_size(sent) ||
	    json_array_size(sent) > VERBS_MAX_QPS)
		return -EPROTO;
	end->flows = (uint32_t)json_array_size(sent);
	for (i = 0; i < end->flows; i++) {
		json_int_t n = json_integer_value(json_array_get(sent, i));

		if (n < 0)
			return -EPROTO;
		end->sent[i] = (uint64_t)n;
	}
	return 0;
}

static json_t *received_pack(const struct result_received *rx)
{
	return json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "seconds", rx->seconds,
			 "bytes", count(rx->bytes), "packets", count(rx->packets),
			 "lost_packets", count(rx->lost_packets),
			 "duplicates", count(rx->duplicates),
			 "out_of_order", count(rx->out_of_order),
			 "foreign", count(rx->foreign), "is_sequenced", rx->is_sequenced,
			 "jitter_ms", isfinite(rx->jitter_ms) ? json_real(rx->jitter_ms) :
								json_null());
}

static void received_parse(const json_t *o, struct result_received *rx)
{
	*rx = (struct result_received){
		.is_known = true,
		.is_sequenced = json_is_true(json_object_get(o, "is_sequenced")),
		.seconds = channel_real(o, "seconds", 0),
		.bytes = (uint64_t)channel_int(o, "bytes", 0, INT64_MAX, 0),
		.packets = (uint64_t)channel_int(o, "packets", 0, INT64_MAX, 0),
		.lost_packets = (uint64_t)channel_int(o, "lost_packets", 0, INT64_MAX, 0),
		.duplicates = (uint64_t)channel_int(o, "duplicates", 0, INT64_MAX, 0),
		.out_of_order = (uint64_t)channel_int(o, "out_of_order", 0, INT64_MAX, 0),
		.foreign = (uint64_t)channel_int(o, "foreign", 0, INT64_MAX, 0),
		.jitter_ms = channel_real(o, "jitter_ms", NAN),
	};
}

json_t *verbs_outcome_pack(const struct verbs_outcome *out)
{
	json_t *flows = json_array();
	uint32_t i;

	for (i = 0; i < out->flows; i++)
		json_array_append_new(flows, received_pack(&out->received[i]));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:O?}", "type", "result",
			 "flows", flows, "foreign", count(out->foreign),
			 "completions", count(out->completions),
			 "completion_events", count(out->events),
			 "no_receive_wr", count(out->drops.no_receive_wr),
			 "wrong_qkey", count(out->drops.wrong_qkey),
			 "no_receive_wr_source", out->drops.source, "device", out->device);
}

int verbs_outcome_parse(const json_t *msg, struct verbs_outcome *out)
{
	const json_t *flows = json_object_get(msg, "flows");
	uint32_t i;

	memset(out, 0, sizeof(*out));
	if (!protocol_is(msg, "result") || !json_array_size(flows) ||
	    json_array_size(flows) > VERBS_MAX_QPS ||
	    take_string(msg, "no_receive_wr_source", out->drops.source, sizeof(out->drops.source)))
		return -EPROTO;
	out->flows = (uint32_t)json_array_size(flows);
	for (i = 0; i < out->flows; i++)
		received_parse(json_array_get(flows, i), &out->received[i]);
	out->foreign = (uint64_t)channel_int(msg, "foreign", 0, INT64_MAX, 0);
	out->completions = (uint64_t)channel_int(msg, "completions", 0, INT64_MAX, 0);
	out->events = (uint64_t)channel_int(msg, "completion_events", 0, INT64_MAX, 0);
	out->drops.no_receive_wr = (uint64_t)channel_int(msg, "no_receive_wr", 0, INT64_MAX, 0);
	out->drops.wrong_qkey = (uint64_t)channel_int(msg, "wrong_qkey", 0, INT64_MAX, 0);
	out->device = json_incref(json_object_get(msg, "device"));
	return 0;
}
