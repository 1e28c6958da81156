// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of `ubench server`. */
#include "server_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "channel.h"
#include "cmd.h"
#include "parse.h"

static const char help[] =
	"usage: ubench server [options]\n"
	"Receive for the tests of other hosts. Results go to stdout, trouble to stderr.\n\n"
	"  --bind ADDRESS       listen on this address only (default: all, IPv6 and IPv4)\n"
	"  --port N             port of the control connection (default 12866)\n"
	"  --allow CIDR         serve these addresses only; may be repeated\n"
	"  --key-file FILE      serve clients with the same key only; at least 16 bytes, mode 0600\n"
	"  --max-clients N      at once, 1 to 64 (default 16)\n"
	"  --max-per-address N  of them from one address (default 8)\n"
	"  --max-seconds N      length of a run (default 86400)\n"
	"  --max-memory SIZE    data memory of a client's process (default 1G)\n"
	"  --no-sandbox         keep privileges and system calls: for debugging\n"
	"  --help               this text\n";

static const struct option options[] = {
	{ "bind", required_argument, NULL, 'b' },
	{ "port", required_argument, NULL, 'p' },
	{ "allow", required_argument, NULL, 'a' },
	{ "key-file", required_argument, NULL, 'k' },
	{ "max-clients", required_argument, NULL, 'c' },
	{ "max-per-address", required_argument, NULL, 'd' },
	{ "max-seconds", required_argument, NULL, 's' },
	{ "max-memory", required_argument, NULL, 'm' },
	{ "no-sandbox", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static int take_port(struct server_options *opt, const char *value)
{
	long port;

	if (parse_int(value, 1, 65535, &port))
		return -EINVAL;
	opt->port = (uint16_t)port;
	return 0;
}

static int take_allow(struct server_options *opt, const char *value)
{
	if (opt->n_allow == SERVER_MAX_ALLOW)
		return -EINVAL;
	return cidr_parse(value, &opt->allow[opt->n_allow++]);
}

/* 0, or negative for a bad option or value. */
static int take(struct server_options *opt, int c, const char *value)
{
	switch (c) {
	case 'b':
		opt->bind_host = value;
		return 0;
	case 'p':
		return take_port(opt, value);
	case 'a':
		return take_allow(opt, value);
	case 'k':
		opt->key_file = value;
		return 0;
	case 'c':
		return parse_int(value, 1, SERVER_MAX_CLIENTS, &opt->max_clients);
	case 'd':
		return parse_int(value, 1, SERVER_MAX_CLIENTS, &opt->max_per_address);
	case 's':
		return parse_seconds(value, &opt->max_seconds);
	case 'm':
		return parse_size(value, &opt->max_memory_bytes);
	case 'n':
		opt->has_sandbox = false;
		return 0;
	}
	return -EINVAL;
}

int server_options_parse(struct server_options *opt, int argc, char **argv)
{
	int c;

	*opt = (struct server_options){
		.port = CHANNEL_PORT, .max_clients = 16, .max_per_address = 8,
		.max_seconds = 86400, .max_memory_bytes = 1ULL << 30, .has_sandbox = true,
	};
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:b:p:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return UBENCH_EXIT_OK;
		}
		if (take(opt, c, optarg)) {
			fprintf(stderr, "ubench server: bad option or value: %s; see --help\n",
				argv[optind - 1]);
			return UBENCH_EXIT_USAGE;
		}
	}
	if (optind == argc)
		return -1;
	fprintf(stderr, "ubench server: unexpected argument: %s; see --help\n", argv[optind]);
	return UBENCH_EXIT_USAGE;
}
