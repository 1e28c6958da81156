// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control protocol, from the bytes of a connection to the structs of every message, with and without a key (iperf
 * CVE-2024-53580: malformed parameters crash the server).
 */
#include <sys/socket.h>
#include <unistd.h>

#include "../../ubench/channel.c"
#include "../../ubench/protocol.c"
#include "../../ubench/protocol_counts.c"
#include "../../ubench/secret.c"
#include "../../ubench/verbs_protocol.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void parse_verbs(const json_t *msg)
{
	static struct verbs_request request;
	static struct verbs_setup setup;
	static struct verbs_end end;
	static struct verbs_outcome outcome;

	if (!verbs_request_parse(msg, &request) &&
	    (!request.flows || request.flows > VERBS_MAX_QPS || request.recv_depth > VERBS_MAX_DEPTH))
		abort();
	if (!verbs_setup_parse(msg, &setup) && setup.n_qps > VERBS_MAX_QPS)
		abort();
	if (!verbs_end_parse(msg, &end) && end.flows > VERBS_MAX_QPS)
		abort();
	if (!verbs_outcome_parse(msg, &outcome)) {
		if (outcome.flows > VERBS_MAX_QPS)
			abort();
		json_decref(outcome.device);
	}
}

static void parse_all(const json_t *msg)
{
	static struct protocol_run run;
	static struct protocol_ready ready;
	static struct protocol_begin begin;
	static struct protocol_end end;
	static struct protocol_result result;

	if (!protocol_run_parse(msg, &run) &&
	    (!run.flows || run.flows > OPTIONS_MAX_FLOWS || run.batch > SENDER_MAX_BATCH ||
	     (run.gso > 1 && (uint64_t)run.gso * run.message_bytes > 65507)))
		abort();
	if (!protocol_begin_parse(msg, &begin) && begin.flows > OPTIONS_MAX_FLOWS)
		abort();
	protocol_resume_token(msg);
	if (!protocol_ready_parse(msg, &ready) && ready.flows > OPTIONS_MAX_FLOWS)
		abort();
	if (!protocol_end_parse(msg, &end) && end.flows > OPTIONS_MAX_FLOWS)
		abort();
	if (!protocol_result_parse(msg, &result) && result.flows > OPTIONS_MAX_FLOWS)
		abort();
	protocol_hello_version(msg);
	protocol_nonce(msg);
	protocol_error_text(msg);
	parse_verbs(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct secret key = { "a key" };
	struct channel ch;
	json_t *msg;
	int fds[2];

	if (!len || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds))
		return 0;
	ch = (struct channel){ .fd = fds[0] };
	if (data[0] & 1)
		channel_set_key(&ch, &key, true);
	if (write(fds[1], data + 1, len - 1) == (ssize_t)len - 1) {
		shutdown(fds[1], SHUT_WR);
		while (!channel_recv(&ch, &msg, 0)) {
			parse_all(msg);
			json_decref(msg);
		}
	}
	/* The text alone as well: few inputs get a length right. */
	msg = channel_parse((const char *)data + 1, len - 1);
	if (msg)
		parse_all(msg);
	json_decref(msg);
	channel_close(&ch);
	close(fds[1]);
	return 0;
}
