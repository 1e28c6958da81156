/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of one run, and its JSON document of schema version 1. */
#ifndef UBENCH_RESULT_H
#define UBENCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;

#define RESULT_SCHEMA_VERSION 1

/* What the sender handed to the kernel; packets counts successful sends only. */
struct result_sent {
	double seconds;
	uint64_t bytes;
	uint64_t packets;
	uint64_t send_errors;
};

/* CPU time of a whole host during the run, whoever used it. */
struct result_cpu {
	bool is_known;
	double busy_s;
	double all_s;		/* busy and idle, of all CPUs */
};

/* Distribution of times: between paced sends, or of round trips. */
struct result_gaps {
	bool is_known;
	uint64_t count;
	uint64_t p50_ns, p90_ns, p99_ns, max_ns;
};

/*
 * Time from a packet's send to its arrival, over the packets that carried a
 * send time. Where the ends do not share a clock it is the excess over the
 * least such time of the flow.
 */
struct result_delay {
	bool is_known;
	bool is_same_clock;
	uint64_t count;
	uint64_t p50_ns, p90_ns, p99_ns, max_ns;
};

/* Sends with MSG_ZEROCOPY, as the kernel's notifications tell of them. */
struct result_zerocopy {
	bool is_known;
	uint64_t sends;		/* system calls that succeeded */
	uint64_t notified;	/* of which the kernel has given the pages back */
	uint64_t copied;	/* of those, copied after all */
};

/* Of one figure over the iterations of -i, as a two-sided interval of Student's t. */
struct result_confidence {
	unsigned int iterations;	/* 0: none asked for */
	double level_percent;
	double width_percent;		/* asked for: the whole interval over the mean */
	bool is_reached;
	double sent_width_percent;	/* got, for the sender's rate; NAN: too few iterations */
	double received_width_percent;	/* for the receiver's rate */
};

/*
 * What the receiver saw. packets and bytes count each packet once, whatever
 * its duplicates; packets + lost_packets equals the sender's packets.
 * Without sequence numbers (is_sequenced false) duplicates, out_of_order and
 * jitter_ms are not known and become null. seconds is never below the
 * sender's, so that a late start does not raise the rate.
 */
struct result_received {
	bool is_known;		/* false: nobody counted (-N), null in JSON */
	bool is_sequenced;
	bool is_byte_stream;	/* TCP: bytes only, the packet counts are null */
	double seconds;
	uint64_t bytes;
	uint64_t packets;
	uint64_t lost_packets;
	uint64_t duplicates;
	uint64_t out_of_order;
	uint64_t foreign;
	double jitter_ms;	/* RFC 3550, 6.4.1; NAN: not known */
};

/* Where the lost packets went; the parts add up to lost_packets. */
struct result_loss {
	uint64_t sender_queue;	/* the sender's queueing disciplines, after they took the packet */
	uint64_t transmit_ring;	/* the sender's device */
	uint64_t receive_ring;	/* the receiver's device */
	uint64_t receive_checksum;	/* the receiver's kernel, as the checksum was wrong */
	uint64_t receive_socket;	/* the receiver's full socket buffer */
	uint64_t receive_queue;	/* verbs: no receive work request was posted */
	uint64_t wrong_qkey;	/* verbs */
	uint64_t unknown;
};

/* One row of interim results, as seen at the sender. */
struct result_interval {
	double start_seconds;	/* since the start of the run */
	double seconds;
	double ending_epoch_s;	/* Unix time */
	uint64_t bytes;
	uint64_t packets;
	uint64_t send_errors;
	bool has_received;
	uint64_t received_packets;	/* by the receiver's last word in the interval */
};

struct result_stream {
	unsigned int flow_id;
	struct result_sent sent;
	struct result_received received;
	struct result_gaps gaps;
	struct result_gaps round_trips;	/* of the transactions that a response completed */
	struct result_delay delay;
	struct result_zerocopy zerocopy;
};

/* One of several receivers of a group. */
struct result_receiver {
	char host[128];
	struct result_received received;
	struct result_loss loss;
};

struct result_error {
	int code;		/* enum ubench_exit; 0: no error */
	char where[32];		/* "control", "data", "server", ... */
	char message[256];
};

/* Owned by whoever called result_init(); result_free() releases the parts. */
struct ubench_result {
	char test[32];
	char **command_line;	/* n_command_line strings */
	size_t n_command_line;
	char utc[32];		/* start, ISO 8601 */
	char host[128];		/* where the sender ran */
	char peer[128];		/* destination as given */
	struct json_t *environment;	/* object or NULL */
	struct result_interval *intervals;
	size_t n_intervals;
	struct result_stream *streams;
	size_t n_streams;
	struct result_sent sent;
	struct result_received received;
	struct result_loss loss;	/* meaningful when received.is_known */
	/* Both directions at once: what the peer sent, its streams, sums, loss and fairness; else NULL. */
	struct ubench_result *reverse;
	struct result_receiver *receivers;	/* of a group: received is the worst one's */
	size_t n_receivers;
	bool has_gro;		/* the receiver's kernel joins packets */
	struct json_t *verbs;	/* knobs and figures of a VERBS_UD run, object or NULL */
	struct result_cpu local_cpu;
	struct result_cpu remote_cpu;
	struct result_confidence confidence;
	double fairness;	/* Jain's index over the flows' received rates; NAN: one flow */
	uint64_t message_bytes;
	uint64_t fragments_per_message;	/* IP packets of one datagram; 0: not known */
	uint64_t send_socket_bytes;	/* granted by the kernel */
	uint64_t recv_socket_bytes;	/* granted; 0 when not known */
	struct result_error error;
};

/* Rates; 0 for a run of no duration. */
double result_rate(uint64_t count, double seconds);
/* Share of a host's CPU time that was busy; 0 when none was measured. */
double result_cpu_percent(const struct result_cpu *cpu);
/* Service demand: busy CPU time over packets, in us; NAN for no packets. */
double result_us_per_packet(const struct result_cpu *cpu, uint64_t packets);
/* Requests of all streams that had a response in time. */
uint64_t result_transactions(const struct ubench_result *r);
/* Add the counts of a further flow or run to sum; its seconds and jitter are the caller's to join. */
void result_sent_add(struct result_sent *sum, const struct result_sent *s);
void result_received_add(struct result_received *sum, const struct result_received *rx);
/* Percentage of the sent packets that were lost; 0 when nothing was sent. */
double result_lost_percent(const struct result_received *received);

void result_init(struct ubench_result *r, const char *test);
void result_free(struct ubench_result *r);
/* Copy argv. 0 or -ENOMEM. */
int result_set_command_line(struct ubench_result *r, int argc, char **argv);
/* Append a copy. 0 or -ENOMEM. */
int result_add_interval(struct ubench_result *r, const struct result_interval *interval);
int result_add_stream(struct ubench_result *r, const struct result_stream *stream);
int result_add_receiver(struct ubench_result *r, const struct result_receiver *receiver);
/* Make r->reverse, if it is not there yet. 0 or -ENOMEM. */
int result_add_reverse(struct ubench_result *r);
/* Keep the first error only. */
__attribute__((format(printf, 4, 5)))
void result_set_error(struct ubench_result *r, int code, const char *where, const char *fmt, ...);

/*
 * Join a further run of the same test to sum: counts and durations add up,
 * streams and intervals are appended, the first error stays. one is emptied.
 * 0 or -ENOMEM.
 */
int result_pool(struct ubench_result *sum, struct ubench_result *one);

/*
 * The JSON document of r, a new reference; NULL when out of memory. Integers
 * are exact up to 2^63-1; what is not known is null, never NaN.
 */
struct json_t *result_to_json(const struct ubench_result *r);
/* Parts of it, for those who tell a run piece by piece; new references. */
struct json_t *result_start_to_json(const struct ubench_result *r);
struct json_t *result_interval_to_json(const struct result_interval *interval);
struct json_t *result_end_to_json(const struct ubench_result *r);
struct json_t *result_error_to_json(const struct result_error *error);
/* Write it to a file that appears complete or not at all. 0, or -1 with errno set. */
int result_write(const struct ubench_result *r, const char *path);
/*
 * Fill an uninitialised r from a document; rates and percentages are derived
 * again, not read, and the figures of CPU, confidence, gaps, delays, zerocopy, the other direction and further
 * receivers are left out. 0, -EINVAL (not such a document; what names the member at
 * fault) or -ENOMEM; on error r needs no result_free().
 */
int result_from_json(struct ubench_result *r, struct json_t *doc, const char **what);

#endif
