// SPDX-License-Identifier: GPL-2.0-or-later
/* --dry-run: says what a command line would do, and does none of it. */
#include "dry_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "addr.h"
#include "affinity.h"
#include "cmd.h"
#include "options.h"

/* Resolve and print a host; 0 or an exit code. */
static int print_host(const char *name, const char *host, const struct options *opt, uint16_t port)
{
	char text[ADDR_TEXT_BYTES];
	const char *why;
	struct addr a;

	if (addr_resolve(host, opt->device, port, opt->family, &a, 1, &why) < 0) {
		fprintf(stderr, "ubench: cannot resolve host %s: %s\n", host, why);
		return UBENCH_EXIT_FAILED;
	}
	printf("%s %s %s port %u\n", name, host, addr_text(&a, text), port);
	return UBENCH_EXIT_OK;
}

static int print_hosts(const struct options *opt)
{
	unsigned int i;
	int ret = UBENCH_EXIT_OK;

	if (!opt->is_send_only)
		ret = print_host("server", opt->host, opt, opt->port);
	if (!ret)
		ret = print_host("data", *opt->data_host ? opt->data_host : opt->host, opt,
				 opt->data_port);
	for (i = 0; i < opt->n_receivers && !ret; i++)
		ret = print_host("receiver", opt->receivers[i], opt, opt->port);
	return ret;
}

static void print_cpu(const char *name, long cpu)
{
	if (cpu == AFFINITY_ANY)
		printf("%s any\n", name);
	else
		printf("%s %ld\n", name, cpu);
}

static void print_amount(const struct options *opt)
{
	if (opt->packets)
		printf("packets_per_flow %" PRIu64 "\n", opt->packets);
	else if (opt->seconds > 0)
		printf("seconds %g\n", opt->seconds);
	else
		puts("seconds unlimited");
	printf("flows %ld\nwarmup_seconds %g\ninterval_seconds %g\niterations %ld to %ld\n",
	       opt->flows, opt->warmup_s, opt->interval_s, opt->min_iterations,
	       opt->max_iterations);
}

static void print_way(const struct options *opt)
{
	printf("message_bytes %" PRIu64 "\n", opt->message_bytes);
	printf("directions %s\n", opt->is_bidirectional ? "both" : "one");
	printf("send %s%s\n", opt->batch > 1 ? "sendmmsg" : opt->gso > 1 ? "UDP_SEGMENT" : "send",
	       opt->has_zerocopy ? " MSG_ZEROCOPY" : "");
	printf("messages_per_call %ld\n", opt->batch > 1 ? opt->batch : opt->gso);
	if (opt->pps > 0)
		printf("packets_per_second_per_flow %.0f\n", opt->pps);
	printf("local_socket_bytes %" PRIu64 "\nremote_socket_bytes %" PRIu64 "\n",
	       opt->local_socket_bytes, opt->remote_socket_bytes);
	print_cpu("local_cpu", opt->local_cpu);
	print_cpu("remote_cpu", opt->remote_cpu);
}

int dry_run(const struct options *opt, const struct options_test *test)
{
	int ret;

	printf("test %s\n", test->name);
	ret = print_hosts(opt);
	if (ret)
		return ret;
	print_amount(opt);
	print_way(opt);
	return UBENCH_EXIT_OK;
}
