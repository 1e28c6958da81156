/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of a test: global options, then the test's own after "--". */
#ifndef UBENCH_OPTIONS_H
#define UBENCH_OPTIONS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "fail_if.h"

#define OPTIONS_HOST_BYTES 256
#define OPTIONS_MAX_FLOWS 256
#define OPTIONS_MAX_FAIL_IF 8
#define OPTIONS_MAX_RECEIVERS 16	/* of a group: that of -H and 15 more */

enum options_output {
	OPTIONS_TEXT,
	OPTIONS_JSON,		/* one document */
	OPTIONS_JSON_STREAM,	/* an event a line */
	OPTIONS_CSV,
	OPTIONS_KEYWORDS,	/* netperf's KEY=VALUE */
};

struct options {
	/* global */
	char host[OPTIONS_HOST_BYTES];
	char device[IF_NAMESIZE];	/* from host%device, or "" */
	int family;			/* AF_UNSPEC, AF_INET or AF_INET6 */
	uint16_t port;			/* of the server */
	double seconds;			/* 0: no limit of time */
	uint64_t packets;		/* 0: no limit of packets */
	double interval_s;		/* 0: no interim results */
	bool has_headers;		/* -P */
	enum options_output form;
	bool is_dry_run;
	bool is_send_only;		/* -N */
	bool is_bidirectional;
	long local_cpu;			/* or AFFINITY_ANY */
	long remote_cpu;
	long flows;
	double warmup_s;		/* --omit */
	bool has_cpu;			/* -c: CPU figures in the text */
	bool has_delay;			/* --delay: the delay's percentiles in the text */
	long max_iterations, min_iterations;	/* -i; 1, 1: no statistics */
	long confidence_percent, width_percent;	/* -I */
	long batch;			/* messages of one sendmmsg(); 1: send() */
	long gso;			/* messages that the kernel cuts from one send(); 1: none */
	bool has_zerocopy;		/* MSG_ZEROCOPY */
	bool has_gro;			/* the receiver takes UDP_GRO's joined packets */
	long ttl;			/* 0: the system's default */
	bool has_df;			/* --df: never fragment */
	double pps;			/* of each flow; 0: as fast as it goes */
	uint64_t bits_per_second;	/* --rate: the same in bits of messages; pps follows from it */
	const char *receivers[OPTIONS_MAX_RECEIVERS - 1];	/* further hosts in the group */
	unsigned int n_receivers;
	const char *key_file;		/* or NULL */
	const char *output;		/* file for the JSON document, or NULL */
	struct fail_if fail_if[OPTIONS_MAX_FAIL_IF];
	unsigned int n_fail_if;
	/* after -- */
	const char *keywords;		/* -k: those wanted */
	uint64_t message_bytes;		/* -m, or the request of -r */
	uint64_t response_bytes;	/* -r */
	uint64_t local_socket_bytes;	/* -s; 0: the system's default */
	uint64_t remote_socket_bytes;	/* -S; 0: the system's default */
	char data_host[OPTIONS_HOST_BYTES];	/* "": host */
	uint16_t data_port;		/* 0: the server chooses, or 9 (discard) with -N */
};

/* Options that only some tests have. */
enum options_group {
	OPTIONS_DATAGRAMS = 1 << 0,	/* -N, --batch, --gso, --pps, ... */
	OPTIONS_ONE_WAY = 1 << 1,	/* --bidir */
	OPTIONS_MESSAGE = 1 << 2,	/* -m */
	OPTIONS_PAIR = 1 << 3,		/* -r */
	OPTIONS_DATA = 1 << 4,		/* -s, -S, -H and -p after "--" */
};

/* What a test adds to the common parser. */
struct options_test {
	const char *name;
	const char *summary;		/* for --help */
	unsigned int groups;		/* of enum options_group */
	uint64_t default_message_bytes;
	uint64_t max_message_bytes;
};

/*
 * Parse argv, argv[0] being the test's name. Returns -1 to go on, or the exit
 * code to leave with: help was printed to stdout, or what is wrong to stderr.
 */
int options_parse(struct options *opt, const struct options_test *test, int argc, char **argv);

/* Whether results are for a program to read: no table, no remark, on stdout. */
static inline bool options_is_for_machines(const struct options *opt)
{
	return opt->form != OPTIONS_TEXT;
}

#endif
