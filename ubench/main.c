// SPDX-License-Identifier: GPL-2.0-or-later
/* Entry point: picks the subcommand by name. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "sweep", cmd_sweep, "measure an interface at many values of tx_signal_rate" },
	{ "report", cmd_report, "tables of stored runs" },
	{ "server", cmd_server, "receive for the tests of other hosts" },
	{ "UDP_STREAM", cmd_udp_stream, "send UDP packets, count what is sent and what arrives" },
	{ "TCP_STREAM", cmd_tcp_stream, "send over TCP, count what is sent and what arrives" },
	{ "UDP_RR", cmd_udp_rr, "send a request, wait for its response, again and again" },
	{ "DCCP_STREAM", cmd_optional, "probe for DCCP: not sent over in this version" },
	{ "SCTP_STREAM", cmd_optional, "probe for SCTP: not sent over in this version" },
	{ "VERBS_UD", cmd_verbs_ud, "the same over verbs UD queue pairs, signaling every N-th packet" },
	{ NULL, NULL, NULL }
};

static void usage(FILE *out)
{
	size_t i;

	fputs("usage: ubench COMMAND [options] [-- options of the test]\n\n", out);
	for (i = 0; commands[i].name; i++)
		fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
	fputs("\n`ubench COMMAND --help` lists the options of a command.\n"
	      "Exit codes: 0 ok, 1 the run failed, 2 usage, 3 a --fail-if condition held,\n"
	      "4 not supported here, 130 interrupted twice.\n", out);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		usage(stderr);
		return UBENCH_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return UBENCH_EXIT_OK;
	}
	for (i = 0; commands[i].name; i++)
		if (!strcasecmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "ubench: no command '%s'; see ubench --help\n", argv[1]);
	return UBENCH_EXIT_USAGE;
}
