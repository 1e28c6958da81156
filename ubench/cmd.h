/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What main() and the subcommands agree on: entry points and exit codes. */
#ifndef UBENCH_CMD_H
#define UBENCH_CMD_H

/* Exit codes of every subcommand, as documented in ubench(1). */
enum ubench_exit {
	UBENCH_EXIT_OK = 0,
	UBENCH_EXIT_FAILED = 1,		/* the run failed */
	UBENCH_EXIT_USAGE = 2,		/* the command line is wrong */
	UBENCH_EXIT_FAIL_IF = 3,	/* a --fail-if condition held */
	UBENCH_EXIT_UNSUPPORTED = 4,	/* this host or build cannot do it */
	UBENCH_EXIT_INTERRUPTED = 130,	/* interrupted twice */
};

/*
 * A subcommand gets the arguments from its own name on (argv[0] is the name
 * of the subcommand) and returns an enum ubench_exit value. A new one adds
 * its prototype here and a row to the table in main.c.
 */
int cmd_server(int argc, char **argv);
int cmd_udp_stream(int argc, char **argv);
int cmd_tcp_stream(int argc, char **argv);
int cmd_udp_rr(int argc, char **argv);
/* DCCP_STREAM and SCTP_STREAM: tell what this host has of them. */
int cmd_optional(int argc, char **argv);
int cmd_verbs_ud(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_report(int argc, char **argv);

#endif
