// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of a test: global options, then the test's own after "--". */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "affinity.h"
#include "channel.h"
#include "cmd.h"
#include "option_table.h"
#include "options_take.h"
#include "wire.h"

#define ROWS(rows) rows, sizeof(rows) / sizeof(*rows)

static const struct option_row global_rows[] = {
	{ 'H', "host", "HOST[%DEV]", "host that runs `ubench server`; DEV: leave by that interface",
	  options_take_host, 0 },
	{ '4', NULL, NULL, "only IPv4", options_take_ipv4, 0 },
	{ '6', NULL, NULL, "only IPv6", options_take_ipv6, 0 },
	{ 'p', "port", "N", "port of the server's control connection (default 12866)",
	  options_take_port, 0 },
	{ 'l', NULL, "N", "seconds to run (default 10), 0: until Ctrl-C; -N: number of packets",
	  options_take_limit, 0 },
	{ 'D', NULL, "[-]N", "interim results every N seconds", options_take_interval, 0 },
	{ 'P', NULL, "0|1", "print the table's headers (default 1)", options_take_headers, 0 },
	{ 'T', NULL, "L,R", "CPU of the local and the remote end (\"L,\" or \",R\" for one of them)",
	  options_take_cpus, 0 },
	{ 'N', NULL, NULL, "send only: no server, no control connection, nothing known of arrival",
	  options_take_send_only, 0 },
	{ 0, "bidir", NULL, "both directions at once", options_take_bidir, OPTIONS_ONE_WAY },
	{ 0, "flows", "N", "flows side by side, each with its own socket and thread (default 1)",
	  options_take_flows, 0 },
	{ 0, "threads", "N", "the same", options_take_flows, 0 },
	{ 'i', NULL, "MAX,MIN", "repeat until the confidence interval is narrow enough",
	  options_take_iterations, 0 },
	{ 'I', NULL, "LEVEL,WIDTH", "its level and whole width in percent (default 95,5; -i 10,3)",
	  options_take_confidence, 0 },
	{ 'c', NULL, NULL, "CPU utilisation of both hosts, and CPU time per packet",
	  options_take_cpu_figures, 0 },
	{ 0, "delay", NULL, "percentiles of the one-way delay, or of its excess over the least\n"
	  "where the ends do not share a clock", options_take_delay, OPTIONS_DATAGRAMS },
	{ 0, "omit", "SECS", "warm up so long before anything counts", options_take_omit, 0 },
	{ 0, "batch", "N", "N messages in each sendmmsg()", options_take_batch, OPTIONS_DATAGRAMS },
	{ 0, "gso", "N", "N messages that the kernel cuts from each send()", options_take_gso,
	  OPTIONS_DATAGRAMS },
	{ 0, "zerocopy", NULL, "send from pages that the kernel does not copy (MSG_ZEROCOPY)",
	  options_take_zerocopy, OPTIONS_DATAGRAMS },
	{ 0, "gro", NULL, "let the receiver's kernel join packets (UDP_GRO)", options_take_gro,
	  OPTIONS_DATAGRAMS },
	{ 0, "pps", "N", "packets per second of each flow; reports the gaps between them",
	  options_take_pps, OPTIONS_DATAGRAMS },
	{ 0, "rate", "BITS", "the same pace in bits per second of messages", options_take_rate,
	  OPTIONS_DATAGRAMS },
	{ 0, "df", NULL, "never fragment: a message over the MTU is a failed send", options_take_df,
	  OPTIONS_DATAGRAMS },
	{ 0, "ttl", "N", "hops that packets may take (default: the system's; 1 to a group)",
	  options_take_ttl, OPTIONS_DATAGRAMS },
	{ 0, "receiver", "HOST", "one more receiver of the group, up to 15 times",
	  options_take_receiver, OPTIONS_DATAGRAMS },
	{ 0, "key-file", "FILE", "the key that the server was given", options_take_key_file, 0 },
	{ 0, "json", NULL, "one JSON document instead of text", options_take_json, 0 },
	{ 0, "json-stream", NULL, "an event a line: start, each interval, end, error",
	  options_take_json_stream, OPTIONS_DATA },
	{ 0, "csv", NULL, "one line of comma-separated values; names above it unless -P 0",
	  options_take_csv, 0 },
	{ 0, "output", "FILE", "the JSON document into FILE as well, complete or not at all",
	  options_take_output, 0 },
	{ 0, "fail-if", "COND", "exit 3 when COND holds, such as 'loss>0.1%'; may be repeated",
	  options_take_fail_if, 0 },
	{ 0, "dry-run", NULL, "say what would run and whether this host can; send nothing",
	  options_take_dry_run, OPTIONS_DATA },
	{ 'h', "help", NULL, "this text", NULL, 0 },
};

static const struct option_row own_rows[] = {
	{ 'm', NULL, "SIZE", "bytes of a message", options_take_message, OPTIONS_MESSAGE },
	{ 'r', NULL, "REQ,RESP", "bytes of a request and of a response, 32 or more",
	  options_take_pair, OPTIONS_PAIR },
	{ 's', NULL, "SIZE", "socket buffer to ask for at the local end",
	  options_take_local_buffer, OPTIONS_DATA },
	{ 'S', NULL, "SIZE", "socket buffer to ask for at the remote end",
	  options_take_remote_buffer, OPTIONS_DATA },
	{ 'H', NULL, "HOST", "send the data to this address instead, or to this group",
	  options_take_data_host, OPTIONS_DATA },
	{ 'p', NULL, "PORT", "port for the data (default: any; with -N 9)",
	  options_take_data_port, OPTIONS_DATA },
	{ 'k', NULL, "KEY,...", "netperf's KEY=VALUE lines instead of a table, interim results too",
	  options_take_keywords, OPTIONS_DATA },
	{ 'h', "help", NULL, "this text", NULL, 0 },
};

static int help(const struct options_test *test, const struct option_table *global,
		const struct option_table *own)
{
	printf("usage: ubench %s -H HOST [options] [-- options of the test]\n%s\n\n", test->name,
	       test->summary);
	option_table_help(global);
	printf("\nAfter --:\n");
	option_table_help(own);
	printf("\nSIZE and packets take k, m, g (powers of 1000) and K, M, G (powers of 1024).\n"
	       "Default message: %llu bytes. COND compares (< <= > >=) one of:\n  %s\n",
	       (unsigned long long)test->default_message_bytes, fail_if_metrics);
	return UBENCH_EXIT_OK;
}

/* Why the options for sending do not go together, or NULL. */
static const char *clash_of_ways(const struct options *opt, const struct options_test *test)
{
	if ((opt->batch > 1) + (opt->gso > 1) + (opt->pps > 0) > 1)
		return "only one of --batch, --gso and --pps or --rate";
	if (opt->has_zerocopy && (opt->batch > 1 || opt->pps > 0))
		return "--zerocopy goes with --gso only";
	if (opt->gso > 1 && (uint64_t)opt->gso * opt->message_bytes > test->max_message_bytes)
		return "--gso messages do not fit into one datagram";
	return NULL;
}

/* Why the ends of the run do not go together, or NULL. */
static const char *clash_of_ends(const struct options *opt, const struct options_test *test)
{
	if (opt->is_send_only && !(test->groups & OPTIONS_DATAGRAMS))
		return "-N is UDP_STREAM's";
	if (opt->is_send_only && (opt->is_bidirectional || opt->n_receivers || opt->has_gro))
		return "with -N nobody receives: not with --bidir, --receiver or --gro";
	if (opt->n_receivers && !*opt->data_host)
		return "several receivers need a multicast group (-- -H GROUP)";
	if (opt->n_receivers && opt->flows > 1 && !opt->data_port)
		return "several flows to several receivers need a port (-- -p PORT)";
	if (opt->is_bidirectional && *opt->data_host)
		return "the server sends to the host of the control connection only: not --bidir with -- -H";
	if (opt->is_bidirectional && opt->packets)
		return "both directions run for a time: not --bidir with a number of packets";
	return NULL;
}

static int check(const struct options *opt, const struct options_test *test)
{
	const char *clash;

	if (!*opt->host)
		return option_table_complain(test->name, "no host given (-H)", NULL);
	clash = clash_of_ways(opt, test);
	if (!clash)
		clash = clash_of_ends(opt, test);
	return clash ? option_table_complain(test->name, clash, NULL) : -1;
}

int options_parse(struct options *opt, const struct options_test *test, int argc, char **argv)
{
	const struct option_table global = { test->name, ROWS(global_rows), test->groups };
	const struct option_table own = { test->name, ROWS(own_rows), test->groups };
	int end, ret;

	*opt = (struct options){
		.port = CHANNEL_PORT, .seconds = 10, .has_headers = true, .flows = 1,
		.local_cpu = AFFINITY_ANY, .remote_cpu = AFFINITY_ANY,
		.message_bytes = test->default_message_bytes,
		.response_bytes = test->default_message_bytes,
		.max_iterations = 1, .min_iterations = 1,
		.confidence_percent = 95, .width_percent = 5, .batch = 1, .gso = 1,
	};
	for (end = 1; end < argc && strcmp(argv[end], "--"); end++)
		;
	ret = option_table_parse(&global, opt, end, argv);
	/* "--" stands where the parser expects the program's name. */
	if (ret == OPTION_TABLE_DONE && end < argc)
		ret = option_table_parse(&own, opt, argc - end, argv + end);
	if (ret == OPTION_TABLE_HELP)
		return help(test, &global, &own);
	if (ret != OPTION_TABLE_DONE)
		return ret;
	if (opt->message_bytes > test->max_message_bytes ||
	    opt->response_bytes > test->max_message_bytes)
		return option_table_complain(test->name, "message too large", NULL);
	if ((test->groups & OPTIONS_PAIR) && (opt->message_bytes < WIRE_HEADER_BYTES ||
					      opt->response_bytes < WIRE_HEADER_BYTES))
		return option_table_complain(test->name, "requests and responses have 32 bytes or more",
					     NULL);
	if (opt->bits_per_second && opt->pps > 0)
		return option_table_complain(test->name, "only one of --pps and --rate", NULL);
	if (opt->bits_per_second)
		opt->pps = (double)opt->bits_per_second / (8 * (double)opt->message_bytes);
	return check(opt, test);
}
