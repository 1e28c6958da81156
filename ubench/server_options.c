// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of `ubench server`. */
#include "server_options.h"

#include <errno.h>
#include <stdio.h>

#include "channel.h"
#include "cmd.h"
#include "option_table.h"
#include "parse.h"

static int take_bind(void *opt, const char *value)
{
	((struct server_options *)opt)->bind_host = value;
	return 0;
}

static int take_port(void *opt, const char *value)
{
	long port;

	if (parse_int(value, 1, 65535, &port))
		return -EINVAL;
	((struct server_options *)opt)->port = (uint16_t)port;
	return 0;
}

static int take_allow(void *opt, const char *value)
{
	struct server_options *o = opt;

	if (o->n_allow == SERVER_MAX_ALLOW)
		return -EINVAL;
	return cidr_parse(value, &o->allow[o->n_allow++]);
}

static int take_key_file(void *opt, const char *value)
{
	((struct server_options *)opt)->key_file = value;
	return 0;
}

static int take_max_clients(void *opt, const char *value)
{
	return parse_int(value, 1, SERVER_MAX_CLIENTS, &((struct server_options *)opt)->max_clients);
}

static int take_max_per_address(void *opt, const char *value)
{
	return parse_int(value, 1, SERVER_MAX_CLIENTS,
			 &((struct server_options *)opt)->max_per_address);
}

static int take_max_seconds(void *opt, const char *value)
{
	return parse_seconds(value, &((struct server_options *)opt)->max_seconds);
}

static int take_max_rate(void *opt, const char *value)
{
	struct server_options *o = opt;

	return parse_size(value, &o->max_bits_per_second) || !o->max_bits_per_second ? -EINVAL : 0;
}

static int take_max_memory(void *opt, const char *value)
{
	return parse_size(value, &((struct server_options *)opt)->max_memory_bytes);
}

static int take_no_sandbox(void *opt, const char *value)
{
	(void)value;
	((struct server_options *)opt)->has_sandbox = false;
	return 0;
}

static const struct option_row rows[] = {
	{ 'b', "bind", "ADDRESS", "listen on this address only (default: all, IPv6 and IPv4)",
	  take_bind, 0 },
	{ 'p', "port", "N", "port of the control connection (default 12866)", take_port, 0 },
	{ 0, "allow", "CIDR", "serve these addresses only; may be repeated", take_allow, 0 },
	{ 0, "key-file", "FILE", "serve clients with the same key only; at least 16 bytes, mode 0600",
	  take_key_file, 0 },
	{ 0, "max-clients", "N", "at once, 1 to 64 (default 16)", take_max_clients, 0 },
	{ 0, "max-per-address", "N", "of them from one address (default 8)", take_max_per_address, 0 },
	{ 0, "max-seconds", "N", "length of a run (default 86400)", take_max_seconds, 0 },
	{ 0, "max-rate", "BITS", "per second of a client's data, both directions together, over any\n"
	  "second: faster runs are ended (default: no limit)", take_max_rate, 0 },
	{ 0, "max-memory", "SIZE", "data memory of a client's process (default 1G)", take_max_memory,
	  0 },
	{ 0, "no-sandbox", NULL, "keep privileges and system calls: for debugging", take_no_sandbox,
	  0 },
	{ 'h', "help", NULL, "this text", NULL, 0 },
};

int server_options_parse(struct server_options *opt, int argc, char **argv)
{
	const struct option_table table = { "server", rows, sizeof(rows) / sizeof(*rows), 0 };
	int ret;

	*opt = (struct server_options){
		.port = CHANNEL_PORT, .max_clients = 16, .max_per_address = 8,
		.max_seconds = 86400, .max_memory_bytes = 1ULL << 30, .has_sandbox = true,
	};
	ret = option_table_parse(&table, opt, argc, argv);
	if (ret != OPTION_TABLE_HELP)
		return ret;
	puts("usage: ubench server [options]\n"
	     "Receive for the tests of other hosts. Results go to stdout, trouble to stderr.\n");
	option_table_help(&table);
	puts("\nBITS and SIZE take k, m, g (powers of 1000) and K, M, G (powers of 1024).");
	return UBENCH_EXIT_OK;
}
