// SPDX-License-Identifier: GPL-2.0-or-later
/* VERBS_UD: sends UD packets over verbs with selective signaling, then asks what became of them. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <jansson.h>

#include "affinity.h"
#include "clock.h"
#include "cmd.h"
#include "env.h"
#include "finish.h"
#include "interrupt.h"
#include "verbs_report.h"
#include "verbs_run.h"
#include "watch.h"

#define RESULT_NS (15 * NSEC_PER_SEC)
#define EVENT_NS (500 * NSEC_PER_MSEC)

static bool init_sender(struct verbs_run *run)
{
	const struct verbs_sender_config config = {
		.nonce = run->nonce,
		.message_bytes = run->opt.message_bytes,
		.signal_rate = run->opt.signal_rate,
		.post_list = run->opt.post_list,
		.count = run->opt.count,
		.fault_wr = run->opt.fault_wr,
	};
	uint32_t i;

	for (i = 0; i < run->opt.qps && run->opt.has_qkey; i++)
		run->link.paths[i].qkey = run->opt.qkey;
	if (verbs_sender_init(&run->sender, &run->link.ep, &config, run->link.paths))
		return verbs_run_fail(run, "data", "setting up the sender", ENOMEM);
	run->sender.worker.cpu = run->opt.global.local_cpu;
	run->sender.worker.node = run->link.ep.numa_node;
	run->sender.worker.done_fd = run->done_fd;
	run->sender.is_broken = &run->async.is_fatal;
	return true;
}

static struct result_sent totals(const struct verbs_run *run)
{
	uint64_t n = atomic_load_explicit(&run->sender.posted, memory_order_relaxed);

	return (struct result_sent){ .packets = n, .bytes = n * run->opt.message_bytes };
}

static void tick(void *context, int64_t now_ns)
{
	struct verbs_run *run = context;
	struct result_sent sent = totals(run);

	interim_row(&run->interim, now_ns, &sent, NULL);
}

/* A server spoke or left during the run, which it does only when it cannot go on. */
static void controls_lost(struct verbs_run *run)
{
	unsigned int i;

	for (i = 0; i < run->n_peers; i++) {
		struct pollfd p = { .fd = run->peers[i].client.control.fd, .events = POLLIN };

		if (poll(&p, 1, 0) > 0)
			client_control_lost(&run->peers[i].client);
	}
}

/* A failed work request is the run's error before an event of the device, which is told beside it. */
static void take_errors(struct verbs_run *run)
{
	verbs_run_take_error(run, &run->sender.error);
	verbs_run_take_error(run, &run->async.error);
	if (run->sender.error.code && run->async.error.code)
		fprintf(stderr, "ubench: %s\n", run->async.error.message);
}

/* Start the sender and block until the run is over and it has stopped. */
static bool send_all(struct verbs_run *run)
{
	struct watch watch = {
		.start_ns = clock_now_ns(),
		.duration_ns = clock_from_seconds(run->opt.global.seconds),
		.interval_ns = clock_from_seconds(run->opt.global.interval_s),
		.workers = 1,
		.done_fd = run->done_fd,
		.control_fd = run->controls_fd,
		.tick = tick,
		.context = run,
	};
	enum watch_end end = WATCH_INTERRUPTED;
	struct result_sent sent;
	int ret;

	run->interim = (struct interim){ .out = options_is_for_machines(&run->opt.global) ? NULL : stdout,
		.result = &run->result, .start_ns = watch.start_ns, .last_ns = watch.start_ns,
		.interval_ns = watch.interval_ns };
	ret = verbs_async_start(&run->async, &run->link.dev, &run->sender.worker.should_stop);
	if (!ret)
		ret = verbs_sender_start(&run->sender);
	if (!ret)
		end = watch_run(&watch);
	worker_stop(&run->sender.worker);
	if (run->sender.error.code)
		verbs_async_settle(&run->async, EVENT_NS);
	verbs_async_stop(&run->async);
	sent = totals(run);
	interim_end(&run->interim, clock_now_ns(), &sent);
	take_errors(run);
	if (end == WATCH_CONTROL_READABLE)
		controls_lost(run);
	return ret ? verbs_run_fail(run, "data", "starting a thread", -ret) : true;
}

static bool collect_sent(struct verbs_run *run, struct verbs_end *end)
{
	uint32_t i;

	end->flows = run->opt.qps;
	for (i = 0; i < run->opt.qps; i++) {
		struct result_stream stream = {
			.flow_id = i,
			.sent = {
				.seconds = 1e-9 * (double)(run->sender.end_ns - run->sender.start_ns),
				.packets = verbs_sender_sent(&run->sender, i),
			},
		};

		stream.sent.bytes = stream.sent.packets * run->opt.message_bytes;
		end->sent[i] = stream.sent.packets;
		if (result_add_stream(&run->result, &stream))
			return verbs_run_fail(run, "data", "collecting results", ENOMEM);
	}
	if (run->sender.worker.place_error)
		return verbs_run_fail(run, "data", "cannot use that local CPU", -run->sender.worker.place_error);
	return true;
}

/* The counts of a server; false when it is gone, with the reason in the result. */
static bool ask_outcome(struct verbs_run *run, const struct verbs_end *end, unsigned int i)
{
	struct client *client = &run->peers[i].client;
	json_t *msg;
	int ret;

	if (client->control.fd < 0 ||
	    !client_send(client, "asking for the result", verbs_end_pack(end)) ||
	    !client_receive(client, "asking for the result", RESULT_NS, &msg))
		return false;
	ret = verbs_outcome_parse(msg, &run->outcomes[i]);
	json_decref(msg);
	if (ret || run->outcomes[i].flows != end->flows)
		return verbs_run_fail(run, "control", "the server's result", EPROTO);
	json_array_append_new(json_object_get(run->result.verbs, "receivers"),
			      verbs_report_receiver(client->opt->host, &run->outcomes[i]));
	return true;
}

static void account(struct verbs_run *run, const struct verbs_end *end)
{
	json_t *after = verbs_counters_read(&run->link.dev);
	bool has_all = true;
	unsigned int i;

	run->result.verbs = verbs_report_sender(&run->opt, &run->link, &run->sender, &run->async);
	json_object_set_new(json_object_get(run->result.verbs, "device"), "counters",
			    verbs_counters_since(run->counters_before, after));
	json_decref(after);
	for (i = 0; i < run->n_peers; i++)
		has_all &= ask_outcome(run, end, i);
	verbs_report_account(&run->result, !has_all ? NULL :
			     &run->outcomes[verbs_report_worst(run->outcomes, run->n_peers)]);
	if (has_all && run->result.sent.packets && !run->result.received.packets &&
	    run->result.loss.unknown)
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "data",
				 "control ok, data blocked: none of %llu packets arrived; is UDP port 4791 open?",
				 (unsigned long long)run->result.sent.packets);
}

static void run_test(struct verbs_run *run)
{
	static struct verbs_end end;
	char interface[IF_NAMESIZE] = "";

	run->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	run->controls_fd = epoll_create1(EPOLL_CLOEXEC);
	if (run->done_fd < 0 || run->controls_fd < 0 || interrupt_init()) {
		verbs_run_fail(run, "client", "setting up", errno);
		return;
	}
	if (affinity_check(run->opt.global.local_cpu)) {
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "client",
				 "no CPU %ld at this end", run->opt.global.local_cpu);
		return;
	}
	if (run->opt.numa_node >= 0 && affinity_check_node((int)run->opt.numa_node)) {
		result_set_error(&run->result, UBENCH_EXIT_FAILED, "client",
				 "no NUMA node %ld at this end; see numactl -H", run->opt.numa_node);
		return;
	}
	if (!verbs_run_prepare(run) || !init_sender(run))
		return;
	if (verbs_device_interface(&run->link.dev, interface) &&
	    addr_interface(&run->source, interface))
		interface[0] = '\0';
	run->result.environment = env_collect(interface);
	run->counters_before = verbs_counters_read(&run->link.dev);
	if (send_all(run) && collect_sent(run, &end))
		account(run, &end);
}

static void begin(struct verbs_run *run)
{
	unsigned int i;

	run->done_fd = run->controls_fd = -1;
	run->n_peers = 1 + run->opt.n_receivers;
	for (i = 0; i < run->n_peers; i++) {
		run->peers[i].opt = run->opt.global;
		if (i)
			snprintf(run->peers[i].opt.host, sizeof(run->peers[i].opt.host), "%s",
				 run->opt.receivers[i - 1]);
		run->peers[i].client.control.fd = -1;
	}
}

static void end(struct verbs_run *run)
{
	unsigned int i;

	if (run->sender.ep)
		verbs_sender_free(&run->sender);
	verbs_link_close(&run->link);
	json_decref(run->counters_before);
	for (i = 0; i < run->n_peers; i++) {
		json_decref(run->outcomes[i].device);
		channel_close(&run->peers[i].client.control);
	}
	if (run->done_fd >= 0)
		close(run->done_fd);
	if (run->controls_fd >= 0)
		close(run->controls_fd);
}

int cmd_verbs_ud(int argc, char **argv)
{
	static struct verbs_run run;
	int ret = verbs_options_parse(&run.opt, argc, argv);

	if (ret >= 0)
		return ret;
	finish_start(&run.result, &run.opt.global, VERBS_TEST_NAME, argc, argv);
	worker_init();
	begin(&run);
	run_test(&run);
	end(&run);
	ret = finish_report(&run.result, &run.opt.global, verbs_report_text);
	result_free(&run.result);
	return ret;
}
