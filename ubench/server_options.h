/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `ubench server`. */
#ifndef UBENCH_SERVER_OPTIONS_H
#define UBENCH_SERVER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cidr.h"

#define SERVER_MAX_CLIENTS 64
#define SERVER_MAX_ALLOW 64

struct server_options {
	const char *bind_host;		/* NULL: every address */
	uint16_t port;
	long max_clients;
	long max_per_address;		/* clients from one address */
	double max_seconds;		/* of a run */
	uint64_t max_bits_per_second;	/* of a client's data; 0: no limit */
	uint64_t max_memory_bytes;	/* of a client's process */
	const char *key_file;		/* or NULL */
	struct cidr allow[SERVER_MAX_ALLOW];
	unsigned int n_allow;		/* 0: everyone */
	bool has_sandbox;
};

/* As options_parse(): -1 to go on, or the exit code to leave with. */
int server_options_parse(struct server_options *opt, int argc, char **argv);

#endif
