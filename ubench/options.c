// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of a test: global options, then the test's own after "--". */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "affinity.h"
#include "channel.h"
#include "cmd.h"
#include "parse.h"
#include "sender.h"
#include "wire.h"

enum {
	OPT_JSON = 256,
	OPT_PORT,
	OPT_FLOWS,
	OPT_OMIT,
	OPT_BATCH,
	OPT_GSO,
	OPT_PPS,
	OPT_DF,
	OPT_TTL,
	OPT_OUTPUT,
	OPT_KEY_FILE,
	OPT_FAIL_IF,
	OPT_HELP
};

#define GLOBAL_LETTERS "+:H:46p:l:D:P:T:Ni:I:ch"

static const struct option global_long[] = {
	{ "host", required_argument, NULL, 'H' },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "flows", required_argument, NULL, OPT_FLOWS },
	{ "omit", required_argument, NULL, OPT_OMIT },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "gso", required_argument, NULL, OPT_GSO },
	{ "pps", required_argument, NULL, OPT_PPS },
	{ "df", no_argument, NULL, OPT_DF },
	{ "ttl", required_argument, NULL, OPT_TTL },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "key-file", required_argument, NULL, OPT_KEY_FILE },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "fail-if", required_argument, NULL, OPT_FAIL_IF },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 }
};

static const char global_help[] =
	"  -H HOST[%DEV]    host that runs `ubench server`; DEV: leave by that interface\n"
	"  -4, -6           only that version of IP\n"
	"  -p, --port N     port of the server's control connection (default 12866)\n"
	"  -l N             seconds to run (default 10), 0: until Ctrl-C; -N: number of packets\n"
	"  -D N, -D -N      interim results every N seconds\n"
	"  -P 0|1           print the table's headers (default 1)\n"
	"  -T L,R           CPU of the local and the remote end (\"L,\" or \",R\" for one of them)\n"
	"  -N               send only: no server, no control connection, nothing known of arrival\n"
	"  --flows N        flows side by side, each with its own socket and thread (default 1)\n"
	"  -i MAX,MIN       repeat until the confidence interval is narrow enough\n"
	"  -I LEVEL,WIDTH   its level and whole width in percent (default 95,5; -i 10,3)\n"
	"  -c               CPU utilisation of both hosts, and CPU time per packet\n"
	"  --omit SECS      warm up so long before anything counts\n"
	"  --batch N        N messages in each sendmmsg() (UDP)\n"
	"  --gso N          N messages that the kernel cuts from each send() (UDP)\n"
	"  --pps N          packets per second of each flow; reports the gaps between them (UDP)\n"
	"  --df             never fragment: a message over the MTU is a failed send (UDP)\n"
	"  --ttl N          hops that packets may take (default: the system's; 1 to a group) (UDP)\n"
	"  --key-file FILE  the key that the server was given\n"
	"  --json           one JSON document instead of text\n"
	"  --output FILE    the JSON document into FILE as well, complete or not at all\n"
	"  --fail-if COND   exit 3 when COND holds, such as 'loss>0.1%'; may be repeated\n"
	"  --help           this text\n";

static const struct {
	char letter;
	const char *help;
} own_help[] = {
	{ 'm', "  -m SIZE          bytes of a message\n" },
	{ 'r', "  -r REQ,RESP      bytes of a request and of a response, 32 or more\n" },
	{ 's', "  -s SIZE          socket buffer to ask for at the local end\n" },
	{ 'S', "  -S SIZE          socket buffer to ask for at the remote end\n" },
	{ 'H', "  -H HOST          send the data to this address instead, or to this group\n" },
	{ 'p', "  -p PORT          port for the data (default: any; with -N 9)\n" },
};

static void help(const struct options_test *test)
{
	size_t i;

	printf("usage: ubench %s -H HOST [options] [-- options of the test]\n%s\n\n%s\nAfter --:\n",
	       test->name, test->summary, global_help);
	for (i = 0; i < sizeof(own_help) / sizeof(*own_help); i++)
		if (strchr(test->own_options, own_help[i].letter))
			fputs(own_help[i].help, stdout);
	printf("\nSIZE and packets take k, m, g (powers of 1000) and K, M, G (powers of 1024).\n"
	       "Default message: %llu bytes. COND compares (< <= > >=) one of:\n  %s\n",
	       (unsigned long long)test->default_message_bytes, fail_if_metrics);
}

static int complain(const struct options_test *test, const char *what, const char *value)
{
	fprintf(stderr, "ubench %s: %s%s%s; see --help\n", test->name, what, value ? ": " : "",
		value ? value : "");
	return UBENCH_EXIT_USAGE;
}

/* What getopt_long() returns for an option it does not take. */
static int complain_option(const struct options_test *test, int c, char **argv)
{
	const char *option = argv[optind - 1];

	return complain(test, c == ':' ? "option needs a value" : "no such option", option);
}

static int parse_interval(struct options *opt, const char *text)
{
	/* netperf's sign chooses how often it looks at the clock; ours is always on time. */
	return parse_seconds(text + (*text == '-'), &opt->interval_s);
}

static int parse_port(const char *text, uint16_t *port)
{
	long value;

	if (parse_int(text, 1, 65535, &value))
		return -EINVAL;
	*port = (uint16_t)value;
	return 0;
}

static int parse_pps(const char *text, double *pps)
{
	uint64_t value;

	if (parse_size(text, &value) || !value || value > 1000000000)
		return -EINVAL;
	*pps = (double)value;
	return 0;
}

static int parse_iterations(struct options *opt, const char *text)
{
	if (parse_pair(text, 1, 1000, &opt->max_iterations, &opt->min_iterations))
		return -EINVAL;
	return opt->max_iterations >= opt->min_iterations ? 0 : -EINVAL;
}

static int parse_confidence(struct options *opt, const char *text)
{
	if (opt->max_iterations == 1) {
		opt->max_iterations = 10;
		opt->min_iterations = 3;
	}
	return parse_pair(text, 1, 99, &opt->confidence_percent, &opt->width_percent);
}

/* 0, or negative for a bad value. */
static int take_long(struct options *opt, int c, const char *value)
{
	switch (c) {
	case OPT_PORT:
		return parse_port(value, &opt->port);
	case OPT_FLOWS:
		return parse_int(value, 1, OPTIONS_MAX_FLOWS, &opt->flows);
	case OPT_OMIT:
		return parse_seconds(value, &opt->warmup_s);
	case OPT_BATCH:
		return parse_int(value, 1, SENDER_MAX_BATCH, &opt->batch);
	case OPT_GSO:
		return parse_int(value, 1, 64, &opt->gso);
	case OPT_PPS:
		return parse_pps(value, &opt->pps);
	case OPT_DF:
		opt->has_df = true;
		return 0;
	case OPT_TTL:
		return parse_int(value, 1, 255, &opt->ttl);
	case OPT_KEY_FILE:
		opt->key_file = value;
		return 0;
	case OPT_OUTPUT:
		opt->output = value;
		return 0;
	case OPT_FAIL_IF:
		if (opt->n_fail_if == OPTIONS_MAX_FAIL_IF)
			return -EINVAL;
		return fail_if_parse(value, &opt->fail_if[opt->n_fail_if++]);
	default:
		opt->is_json = true;
		return 0;
	}
}

/* 0, or negative for a bad value. */
static int take_global(struct options *opt, int c, const char *value)
{
	long headers;
	int ret;

	switch (c) {
	case 'H':
		return parse_host(value, opt->host, sizeof(opt->host), opt->device,
				  sizeof(opt->device));
	case '4':
	case '6':
		opt->family = c == '4' ? AF_INET : AF_INET6;
		return 0;
	case 'p':
		return parse_port(value, &opt->port);
	case 'l':
		return parse_limit(value, &opt->seconds, &opt->packets);
	case 'D':
		return parse_interval(opt, value);
	case 'P':
		ret = parse_int(value, 0, 1, &headers);
		opt->has_headers = headers;
		return ret;
	case 'T':
		return parse_pair(value, 0, 1023, &opt->local_cpu, &opt->remote_cpu);
	case 'N':
		opt->is_send_only = true;
		return 0;
	case 'i':
		return parse_iterations(opt, value);
	case 'I':
		return parse_confidence(opt, value);
	case 'c':
		opt->has_cpu = true;
		return 0;
	default:
		return take_long(opt, c, value);
	}
}

/* Both carry the header of a packet. */
static int parse_sizes(struct options *opt, const struct options_test *test, const char *text)
{
	long request = (long)opt->message_bytes, response = (long)opt->response_bytes;

	if (parse_pair(text, WIRE_HEADER_BYTES, (long)test->max_message_bytes, &request, &response))
		return -EINVAL;
	opt->message_bytes = (uint64_t)request;
	opt->response_bytes = (uint64_t)response;
	return 0;
}

/* 0, or negative for a bad value. */
static int take_own(struct options *opt, const struct options_test *test, int c, const char *value)
{
	switch (c) {
	case 'm':
		if (parse_size(value, &opt->message_bytes) || !opt->message_bytes ||
		    opt->message_bytes > test->max_message_bytes)
			return -EINVAL;
		return 0;
	case 'r':
		return parse_sizes(opt, test, value);
	case 's':
	case 'S':
		return parse_size(value, c == 's' ? &opt->local_socket_bytes :
						    &opt->remote_socket_bytes);
	case 'H':
		if (strlen(value) >= sizeof(opt->data_host))
			return -EINVAL;
		strcpy(opt->data_host, value);
		return 0;
	default:
		return parse_port(value, &opt->data_port);
	}
}

static int parse_globals(struct options *opt, const struct options_test *test, int argc,
			 char **argv)
{
	int c;

	opterr = 0;
	optind = 0;	/* getopt's full reset: it runs twice in a process */
	while ((c = getopt_long(argc, argv, GLOBAL_LETTERS, global_long, NULL)) != -1) {
		if (c == OPT_HELP || c == 'h') {
			help(test);
			return UBENCH_EXIT_OK;
		}
		if (c == '?' || c == ':')
			return complain_option(test, c, argv);
		if (take_global(opt, c, optarg))
			return complain(test, "bad value", argv[optind - 1]);
	}
	return -1;
}

static int parse_own(struct options *opt, const struct options_test *test, int argc, char **argv)
{
	char letters[32];
	int c;

	snprintf(letters, sizeof(letters), "+:%s", test->own_options);
	optind = 0;
	while ((c = getopt(argc, argv, letters)) != -1) {
		if (c == '?' || c == ':')
			return complain_option(test, c, argv);
		if (take_own(opt, test, c, optarg))
			return complain(test, "bad value", argv[optind - 1]);
	}
	if (optind < argc)
		return complain(test, "unexpected argument", argv[optind]);
	return -1;
}

/* What fits together. */
static int check(const struct options *opt, const struct options_test *test)
{
	if (opt->is_send_only && !test->can_send_only)
		return complain(test, "-N is UDP_STREAM's", NULL);
	if ((opt->batch > 1 || opt->gso > 1 || opt->pps > 0 || opt->has_df ||
	     opt->ttl) && !test->can_send_only)
		return complain(test, "--batch, --gso, --pps, --df and --ttl are UDP_STREAM's", NULL);
	if ((opt->batch > 1) + (opt->gso > 1) + (opt->pps > 0) > 1)
		return complain(test, "only one of --batch, --gso and --pps", NULL);
	if (opt->gso > 1 && (uint64_t)opt->gso * opt->message_bytes > test->max_message_bytes)
		return complain(test, "--gso messages do not fit into one datagram", NULL);
	return -1;
}

int options_parse(struct options *opt, const struct options_test *test, int argc, char **argv)
{
	int own, ret;

	*opt = (struct options){
		.port = CHANNEL_PORT, .seconds = 10, .has_headers = true, .flows = 1,
		.local_cpu = AFFINITY_ANY, .remote_cpu = AFFINITY_ANY,
		.message_bytes = test->default_message_bytes,
		.response_bytes = test->default_message_bytes,
		.max_iterations = 1, .min_iterations = 1,
		.confidence_percent = 95, .width_percent = 5, .batch = 1, .gso = 1,
	};
	for (own = 1; own < argc && strcmp(argv[own], "--"); own++)
		;
	ret = parse_globals(opt, test, own, argv);
	if (ret >= 0)
		return ret;
	if (optind < own)
		return complain(test, "unexpected argument", argv[optind]);
	if (own < argc) {
		/* "--" stands where getopt expects the program's name. */
		ret = parse_own(opt, test, argc - own, argv + own);
		if (ret >= 0)
			return ret;
	}
	if (!*opt->host)
		return complain(test, "no host given (-H)", NULL);
	return check(opt, test);
}
