// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of VERBS_UD: the global options, then perftest's letters after "--". */
#include "verbs_options.h"

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "option_table.h"
#include "verbs_plan.h"
#include "verbs_take.h"

static const struct options_test common = {
	.name = VERBS_TEST_NAME,
	.summary = "",
	.default_message_bytes = 100,
	.max_message_bytes = VERBS_MAX_MESSAGE,
};

/* Help shows the rows in these groups, one after the other. */
enum { HOW = 1 << 0, WHO = 1 << 1, FAULTS = 1 << 2, ALIASES = 1 << 3, EVERY = ~0 };

static const struct option_row rows[] = {
	{ 's', "size", "SIZE", "bytes of a message (default 100)", verbs_take_message, HOW },
	{ 'n', "iters", "N", "packets of each queue pair, instead of a time", verbs_take_count, HOW },
	{ 'D', "duration", "SECS", "seconds to run, as -l before the --", verbs_take_seconds, HOW },
	{ 'Q', "signal-rate", "N", "signal every N-th work request (default 1); the last one always is",
	  verbs_take_signal_rate, HOW },
	{ 'l', "post-list", "N", "work requests of one post call (default 1)", verbs_take_post_list, HOW },
	{ 't', "tx-depth", "N", "send queue (default 128)", verbs_take_send_depth, HOW },
	{ 'r', "rx-depth", "N", "receive queue at HOST (default 512)", verbs_take_recv_depth, HOW },
	{ 'q', "qp", "N", "queue pairs, each a flow of its own (default 1)", verbs_take_qps, HOW },
	{ 'I', "inline", "N", "copy messages up to N bytes into the work request (default 0)",
	  verbs_take_inline, HOW },
	{ 'e', "events", NULL, "sleep for completions instead of polling, at both ends",
	  verbs_take_events, HOW },
	{ 0, "moderate", "C:USECS", "completion queue moderation by the device: an event for C\n"
	  "completions or after USECS", verbs_take_moderation, HOW },
	{ 0, "post-api", "NAME", "auto, post_send or wr: ibv_post_send() or ibv_wr_*()\n"
	  "(default auto: what there is)", verbs_take_post_api, HOW },
	{ 0, "numa-node", "N", "memory and thread of the sender there (default: the device's node)",
	  verbs_take_numa_node, HOW },
	{ 'R', "rdma_cm", NULL, "rdma_cm, by IP address: the device is the one that routes to HOST\n"
	  "(default)", verbs_take_cm, WHO },
	{ 0, "source", "ADDR", "leave from this local address", verbs_take_source, WHO },
	{ 0, "peer-address", "ADDR", "send to this address of HOST's, when another than the control\n"
	  "connection's", verbs_take_peer_address, WHO },
	{ 'd', "ib-dev", "DEV", "by device, without rdma_cm; what is not given is found",
	  verbs_take_device, WHO },
	{ 'i', "ib-port", "PORT", "its port", verbs_take_port, WHO },
	{ 'x', "gid-index", "INDEX", "its GID", verbs_take_gid_index, WHO },
	{ 0, "peer-device", "DEV[:PORT[:GID_INDEX]]", "the same at HOST", verbs_take_peer_device, WHO },
	{ 'g', "mcg", "GROUP", "multicast: HOST joins the group; loss is that of the receiver with most",
	  verbs_take_group, WHO },
	{ 0, "receiver", "HOST", "one more receiver of the group, up to 15 times",
	  verbs_take_receiver, WHO },
	{ 0, "qkey", "N", "send with this Q_Key, which the receiver drops", verbs_take_qkey, FAULTS },
	{ 0, "fault-wr", "N", "give the N-th work request a memory key that is wrong",
	  verbs_take_fault_wr, FAULTS },
	{ 0, "fault-cq", "N", "take a completion queue of N entries, so that it can overrun",
	  verbs_take_fault_cq, FAULTS },
	{ 0, "cq-mod", "N", "-Q", verbs_take_signal_rate, ALIASES },
	{ 0, "post_list", "N", "-l", verbs_take_post_list, ALIASES },
	{ 0, "inline_size", "N", "-I", verbs_take_inline, ALIASES },
	{ 'h', "help", NULL, "this text", NULL, HOW },
};

static struct option_table table_of(int groups)
{
	return (struct option_table){ VERBS_TEST_NAME, rows, sizeof(rows) / sizeof(*rows),
				      (unsigned int)groups };
}

static int help(void)
{
	static const struct {
		const char *title;
		int groups;
	} parts[] = {
		{ "After --, in perftest's letters:", HOW },
		{ "Who talks to whom:", WHO },
		{ "To see how failures are counted and told:", FAULTS },
	};
	struct option_table table;
	size_t i;

	puts("usage: ubench " VERBS_TEST_NAME " -H HOST [options] [-- options of the test]\n"
	     "Send UD packets over verbs as fast as they go, signaling every N-th; count what is sent and\n"
	     "what arrives at `ubench server` on HOST.\n\n"
	     "  -H HOST[%DEV], -4, -6, -p N, -l N, -D N, -P 0|1, -T L,R, --json: see ubench UDP_STREAM --help");
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		printf("\n%s\n", parts[i].title);
		table = table_of(parts[i].groups);
		option_table_help(&table);
	}
	puts("\nSIZE and -n take k, m, g (powers of 1000) and K, M, G (powers of 1024).");
	return UBENCH_EXIT_OK;
}

static int check(struct verbs_options *opt)
{
	if (*opt->group && opt->way != VERBS_BY_GROUP)
		return option_table_complain(VERBS_TEST_NAME, "a group goes by address (--source), not by device", "-g");
	if (opt->n_receivers && opt->way != VERBS_BY_GROUP)
		return option_table_complain(VERBS_TEST_NAME, "several receivers need a multicast group (-g)", "--receiver");
	if (opt->global.warmup_s > 0 || opt->global.max_iterations > 1 || opt->global.has_cpu)
		return option_table_complain(VERBS_TEST_NAME, "not with this test", "--omit, -i or -c");
	if (opt->global.is_send_only)
		return option_table_complain(VERBS_TEST_NAME, "a UD sender needs the receiver's queue pair numbers, so no", "-N");
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
	const struct option_table own_table = table_of(EVERY);
	int own, ret;

	*opt = (struct verbs_options){
		.way = VERBS_BY_CM,
		.device.gid_index = VERBS_GID_INDEX_ANY,
		.peer_device.gid_index = VERBS_GID_INDEX_ANY,
		.message_bytes = 100, .count = VERBS_PLAN_ENDLESS, .qps = 1, .signal_rate = 1,
		.post_list = 1, .send_depth = 128, .recv_depth = 512, .numa_node = -1,
	};
	if (wants_help(argc, argv))
		return help();
	for (own = 1; own < argc && strcmp(argv[own], "--"); own++)
		;
	ret = options_parse(&opt->global, &common, own, argv);
	if (ret >= 0)
		return ret;
	opt->qps = (uint32_t)opt->global.flows;
	if (opt->global.packets)
		opt->count = opt->global.packets;
	if (own < argc)
		ret = option_table_parse(&own_table, opt, argc - own, argv + own);
	if (ret == OPTION_TABLE_HELP)
		return help();
	if (ret >= 0)
		return ret;
	if (opt->count != VERBS_PLAN_ENDLESS)
		opt->global.seconds = 0;
	opt->global.message_bytes = opt->message_bytes;
	opt->global.flows = opt->qps;
	return check(opt);
}
