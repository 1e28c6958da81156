// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of VERBS_UD: the global options, then perftest's letters after "--". */
#include "verbs_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "parse.h"
#include "verbs_plan.h"

static const struct options_test common = {
	.name = VERBS_TEST_NAME,
	.summary = "",
	.default_message_bytes = 100,
	.max_message_bytes = VERBS_MAX_MESSAGE,
};

enum { OPT_MODERATE = 256, OPT_POST_API, OPT_PEER_DEVICE, OPT_QKEY, OPT_FAULT_WR, OPT_FAULT_CQ, OPT_NUMA_NODE, OPT_RECEIVER,
	OPT_SOURCE, OPT_PEER_ADDRESS, OPT_HELP };

#define LETTERS "+:d:i:x:Rs:n:D:q:Q:l:t:r:I:eg:h"

static const struct option longs[] = {
	{ "ib-dev", required_argument, NULL, 'd' },
	{ "ib-port", required_argument, NULL, 'i' },
	{ "gid-index", required_argument, NULL, 'x' },
	{ "rdma_cm", no_argument, NULL, 'R' },
	{ "size", required_argument, NULL, 's' },
	{ "iters", required_argument, NULL, 'n' },
	{ "duration", required_argument, NULL, 'D' },
	{ "qp", required_argument, NULL, 'q' },
	{ "cq-mod", required_argument, NULL, 'Q' },
	{ "signal-rate", required_argument, NULL, 'Q' },
	{ "post_list", required_argument, NULL, 'l' },
	{ "post-list", required_argument, NULL, 'l' },
	{ "tx-depth", required_argument, NULL, 't' },
	{ "rx-depth", required_argument, NULL, 'r' },
	{ "inline_size", required_argument, NULL, 'I' },
	{ "inline", required_argument, NULL, 'I' },
	{ "events", no_argument, NULL, 'e' },
	{ "mcg", required_argument, NULL, 'g' },
	{ "moderate", required_argument, NULL, OPT_MODERATE },
	{ "post-api", required_argument, NULL, OPT_POST_API },
	{ "peer-device", required_argument, NULL, OPT_PEER_DEVICE },
	{ "qkey", required_argument, NULL, OPT_QKEY },
	{ "fault-wr", required_argument, NULL, OPT_FAULT_WR },
	{ "fault-cq", required_argument, NULL, OPT_FAULT_CQ },
	{ "numa-node", required_argument, NULL, OPT_NUMA_NODE },
	{ "receiver", required_argument, NULL, OPT_RECEIVER },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "peer-address", required_argument, NULL, OPT_PEER_ADDRESS },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 }
};

static const char help_text[] =
	"usage: ubench VERBS_UD -H HOST [options] [-- options of the test]\n"
	"Send UD packets over verbs as fast as they go, signaling every N-th; count what is sent and\n"
	"what arrives at `ubench server` on HOST.\n\n"
	"  -H HOST[%DEV], -4, -6, -p N, -l N, -D N, -P 0|1, -T L,R, --json: see ubench UDP_STREAM --help\n"
	"\nAfter --, in perftest's letters:\n"
	"  -s SIZE          bytes of a message (default 100)\n"
	"  -n N             packets of each queue pair, instead of a time\n"
	"  -D SECS          seconds to run, as -l before the --\n"
	"  -Q, --signal-rate N  signal every N-th work request (default 1); the last one always is\n"
	"  -l, --post-list N    work requests of one post call (default 1)\n"
	"  -t, --tx-depth N     send queue (default 128)\n"
	"  -r, --rx-depth N     receive queue at HOST (default 512)\n"
	"  -q, --qp N           queue pairs, each a flow of its own (default 1)\n"
	"  -I, --inline N       copy messages up to N bytes into the work request (default 0)\n"
	"  -e, --events         sleep for completions instead of polling, at both ends\n"
	"  --moderate C:USECS   completion queue moderation by the device: an event for C completions\n"
	"                       or after USECS\n"
	"  --post-api auto|post_send|wr   ibv_post_send() or ibv_wr_*() (default auto: what there is)\n"
	"  --numa-node N    memory and thread of the sender there (default: the device's node)\n"
	"\nWho talks to whom:\n"
	"  (default), -R        rdma_cm, by IP address: the device is the one that routes to HOST\n"
	"  --source ADDR        leave from this local address\n"
	"  --peer-address ADDR  send to this address of HOST's, when another than the control connection's\n"
	"  -d DEV, -i PORT, -x GID_INDEX   by device; what is not given is found. No rdma_cm needed\n"
	"  --peer-device DEV[:PORT[:GID_INDEX]]   the same at HOST\n"
	"  -g GROUP             multicast: HOST joins the group; loss is that of the receiver with most\n"
	"  --receiver HOST      one more receiver of the group, up to 15 times\n"
	"\nTo see how failures are counted and told:\n"
	"  --qkey N             send with this Q_Key, which the receiver drops\n"
	"  --fault-wr N         give the N-th work request a memory key that is wrong\n"
	"  --fault-cq N         take a completion queue of N entries, so that it can overrun\n"
	"\nSIZE and -n take k, m, g (powers of 1000) and K, M, G (powers of 1024).\n";

static int complain(const char *what, const char *value)
{
	fprintf(stderr, "ubench " VERBS_TEST_NAME ": %s%s%s; see --help\n", what,
		value ? ": " : "", value ? value : "");
	return UBENCH_EXIT_USAGE;
}

static int take_u32(const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
	uint64_t v;

	if (parse_size(text, &v) || v < min || v > max)
		return -EINVAL;
	*value = (uint32_t)v;
	return 0;
}

/* "C:USECS" */
static int take_moderation(const char *text, struct verbs_options *opt)
{
	char *colon = strchr(text, ':');
	char count[16];
	long c, usecs;

	if (!colon || (size_t)(colon - text) >= sizeof(count))
		return -EINVAL;
	snprintf(count, sizeof(count), "%.*s", (int)(colon - text), text);
	if (parse_int(count, 1, UINT16_MAX, &c) || parse_int(colon + 1, 0, UINT16_MAX, &usecs))
		return -EINVAL;
	opt->moderation_count = (uint16_t)c;
	opt->moderation_usecs = (uint16_t)usecs;
	return 0;
}

/* "DEV[:PORT[:GID_INDEX]]" */
static int take_device(const char *text, struct verbs_device_choice *choice)
{
	char copy[96], *port, *gid = NULL;
	long value;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	port = strchr(copy, ':');
	if (port)
		*port++ = '\0';
	if (port)
		gid = strchr(port, ':');
	if (gid)
		*gid++ = '\0';
	if (!*copy || strlen(copy) >= sizeof(choice->name))
		return -EINVAL;
	strcpy(choice->name, copy);
	if (port && *port) {
		if (parse_int(port, 1, 255, &value))
			return -EINVAL;
		choice->port = (unsigned int)value;
	}
	if (gid) {
		if (parse_int(gid, 0, 255, &value))
			return -EINVAL;
		choice->gid_index = (int)value;
	}
	return 0;
}

static int take_post_api(const char *text, enum verbs_post_api *api)
{
	static const char *const names[] = { "auto", "post_send", "wr" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*api = (enum verbs_post_api)i;
		return 0;
	}
	return -EINVAL;
}

static int take_text(const char *text, char *buf, size_t size)
{
	if (!*text || strlen(text) >= size)
		return -EINVAL;
	strcpy(buf, text);
	return 0;
}

static int take_qkey(const char *text, struct verbs_options *opt)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text || value > UINT32_MAX)
		return -EINVAL;
	opt->has_qkey = true;
	opt->qkey = (uint32_t)value;
	return 0;
}

/* What to send and to whom. 0, negative for a bad value, 1 when it is not one of these. */
static int take_target(struct verbs_options *opt, int c, const char *value)
{
	long number;

	switch (c) {
	case 'd':
		opt->way = VERBS_BY_DEVICE;
		return take_text(value, opt->device.name, sizeof(opt->device.name));
	case 'i':
		opt->way = VERBS_BY_DEVICE;
		if (parse_int(value, 1, 255, &number))
			return -EINVAL;
		opt->device.port = (unsigned int)number;
		return 0;
	case 'x':
		opt->way = VERBS_BY_DEVICE;
		if (parse_int(value, 0, 255, &number))
			return -EINVAL;
		opt->device.gid_index = (int)number;
		return 0;
	case 'R':
		opt->way = VERBS_BY_CM;
		return 0;
	case 'g':
		opt->way = VERBS_BY_GROUP;
		return take_text(value, opt->group, sizeof(opt->group));
	case OPT_PEER_DEVICE:
		opt->way = VERBS_BY_DEVICE;
		return take_device(value, &opt->peer_device);
	case OPT_SOURCE:
		return take_text(value, opt->source, sizeof(opt->source));
	case OPT_PEER_ADDRESS:
		return take_text(value, opt->peer_address, sizeof(opt->peer_address));
	case OPT_RECEIVER:
		if (opt->n_receivers == VERBS_MAX_RECEIVERS)
			return -EINVAL;
		opt->receivers[opt->n_receivers++] = value;
		return 0;
	}
	return 1;
}

/* How to send. 0, or negative for a bad value. */
static int take_knob(struct verbs_options *opt, int c, const char *value)
{
	switch (c) {
	case 's':
		return take_u32(value, 1, VERBS_MAX_MESSAGE, &opt->message_bytes);
	case 'n':
		return parse_size(value, &opt->count) || !opt->count ? -EINVAL : 0;
	case 'D':
		return parse_seconds(value, &opt->global.seconds);
	case 'q':
		return take_u32(value, 1, VERBS_MAX_QPS, &opt->qps);
	case 'Q':
		return take_u32(value, 1, UINT32_MAX, &opt->signal_rate);
	case 'l':
		return take_u32(value, 1, VERBS_MAX_LIST, &opt->post_list);
	case 't':
		return take_u32(value, 1, VERBS_MAX_DEPTH, &opt->send_depth);
	case 'r':
		return take_u32(value, 1, VERBS_MAX_DEPTH, &opt->recv_depth);
	case 'I':
		return take_u32(value, 0, VERBS_MAX_MESSAGE, &opt->inline_bytes);
	case 'e':
		opt->uses_events = true;
		return 0;
	case OPT_MODERATE:
		return take_moderation(value, opt);
	case OPT_POST_API:
		return take_post_api(value, &opt->post_api);
	case OPT_QKEY:
		return take_qkey(value, opt);
	case OPT_NUMA_NODE:
		return parse_int(value, 0, 1023, &opt->numa_node);
	case OPT_FAULT_CQ:
		return take_u32(value, 1, VERBS_MAX_DEPTH, &opt->fault_cq);
	default:
		return parse_size(value, &opt->fault_wr);
	}
}

static int parse_own(struct verbs_options *opt, int argc, char **argv)
{
	int c, ret;

	optind = 0;	/* getopt's full reset: it runs twice in a process */
	opterr = 0;
	while ((c = getopt_long(argc, argv, LETTERS, longs, NULL)) != -1) {
		if (c == 'h' || c == OPT_HELP) {
			fputs(help_text, stdout);
			return UBENCH_EXIT_OK;
		}
		if (c == '?' || c == ':')
			return complain(c == ':' ? "option needs a value" : "no such option",
					argv[optind - 1]);
		ret = take_target(opt, c, optarg);
		if (ret > 0)
			ret = take_knob(opt, c, optarg);
		if (ret)
			return complain("bad value", argv[optind - 1]);
	}
	return optind < argc ? complain("unexpected argument", argv[optind]) : -1;
}

static int check(struct verbs_options *opt)
{
	if (*opt->group && opt->way != VERBS_BY_GROUP)
		return complain("a group goes by address (--source), not by device", "-g");
	if (opt->n_receivers && opt->way != VERBS_BY_GROUP)
		return complain("several receivers need a multicast group (-g)", "--receiver");
	if (opt->global.warmup_s > 0 || opt->global.max_iterations > 1 || opt->global.has_cpu)
		return complain("not with this test", "--omit, -i or -c");
	if (opt->global.is_send_only)
		return complain("a UD sender needs the receiver's queue pair numbers, so no", "-N");
	return -1;
}

static bool wants_help(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

int verbs_options_parse(struct verbs_options *opt, int argc, char **argv)
{
	int own, ret;

	*opt = (struct verbs_options){
		.way = VERBS_BY_CM,
		.device.gid_index = VERBS_GID_INDEX_ANY,
		.peer_device.gid_index = VERBS_GID_INDEX_ANY,
		.message_bytes = 100, .count = VERBS_PLAN_ENDLESS, .qps = 1, .signal_rate = 1,
		.post_list = 1, .send_depth = 128, .recv_depth = 512, .numa_node = -1,
	};
	if (wants_help(argc, argv)) {
		fputs(help_text, stdout);
		return UBENCH_EXIT_OK;
	}
	for (own = 1; own < argc && strcmp(argv[own], "--"); own++)
		;
	ret = options_parse(&opt->global, &common, own, argv);
	if (ret >= 0)
		return ret;
	opt->qps = (uint32_t)opt->global.flows;
	if (opt->global.packets)
		opt->count = opt->global.packets;
	if (own < argc)
		ret = parse_own(opt, argc - own, argv + own);
	if (ret >= 0)
		return ret;
	if (opt->count != VERBS_PLAN_ENDLESS)
		opt->global.seconds = 0;
	opt->global.message_bytes = opt->message_bytes;
	opt->global.flows = opt->qps;
	return check(opt);
}
