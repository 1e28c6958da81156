// SPDX-License-Identifier: GPL-2.0-only
/* Messages per second from one UD queue pair to another on the same port. */
#include "check.h"
#include "pair.h"

#include <linux/ktime.h>
#include <linux/sched.h>

#define QUEUE 256
#define BATCH 16
#define QUIET_NS (2 * NSEC_PER_SEC)

/**
 * struct bench - a run and its progress
 * @pair:        what it runs on
 * @messages:    to send
 * @octets:      of each
 * @signal_rate: one in so many asks for a completion
 * @posted:      messages posted
 * @sent:        of them, known to be complete
 * @arrived:     messages received
 */
struct bench {
	struct vc_pair *pair;
	unsigned int messages;
	unsigned int octets;
	unsigned int signal_rate;
	unsigned int posted;
	unsigned int sent;
	unsigned int arrived;
};

static int bench_post(struct bench *bench)
{
	while (bench->posted < bench->messages && bench->posted - bench->sent < QUEUE) {
		bool signal = (bench->posted + 1) % bench->signal_rate == 0;
		int err = vc_send_octets(bench->pair, bench->posted, signal ? IB_SEND_SIGNALED : 0,
					 bench->octets);

		if (err)
			return err;
		bench->posted++;
	}
	return 0;
}

/* Polls send completions. Entries polled, or -EIO for one in error. */
static int bench_poll_sent(struct bench *bench)
{
	struct ib_wc wc[BATCH];
	int i, polled = ib_poll_cq(bench->pair->send.cq, BATCH, wc);

	for (i = 0; i < polled; i++) {
		if (wc[i].status != IB_WC_SUCCESS)
			return -EIO;
		bench->sent = wc[i].wr_id + 1;
	}
	return polled;
}

/* Polls everything that arrived, and gives the buffers back. Messages, or -errno. */
static int bench_poll_arrived(struct bench *bench)
{
	struct ib_wc wc[BATCH];
	int i, err, polled, total = 0;

	do {
		polled = ib_poll_cq(bench->pair->recv.cq, BATCH, wc);
		for (i = 0; i < polled; i++) {
			err = vc_recv(bench->pair, 0, VC_GRH + bench->octets);
			if (err)
				return err;
		}
		total += polled;
	} while (polled == BATCH);
	bench->arrived += total;
	return total;
}

static int bench_poll(struct bench *bench)
{
	int sent = bench_poll_sent(bench), arrived = bench_poll_arrived(bench);

	if (sent < 0 || arrived < 0)
		return sent < 0 ? sent : arrived;
	return sent + arrived;
}

static int bench_run(struct bench *bench)
{
	u64 progress = ktime_get_ns();
	int i, err = 0;

	for (i = 0; i < QUEUE && !err; i++)
		err = vc_recv(bench->pair, 0, VC_GRH + bench->octets);
	while (!err && bench->sent < bench->messages) {
		int polled;

		err = bench_post(bench);
		polled = err ?: bench_poll(bench);
		if (polled < 0)
			return polled;
		if (polled > 0)
			progress = ktime_get_ns();
		else if (ktime_get_ns() - progress > QUIET_NS)
			return -ETIMEDOUT;
		cond_resched();
	}
	return err;
}

/**
 * vc_bench() - measure and log messages per second
 * @device:      any device with UD queue pairs
 * @messages:    to send, a multiple of @signal_rate
 * @octets:      of each
 * @signal_rate: one in so many asks for a completion
 *
 * Return: 0, -EINVAL for bad parameters, or what went wrong. Process context.
 */
int vc_bench(struct ib_device *device, unsigned int messages, unsigned int octets,
	     unsigned int signal_rate)
{
	const struct vc_options options = {
		.signaling = IB_SIGNAL_REQ_WR,
		.send_wrs = QUEUE,
		.recv_wrs = QUEUE,
		.send_cqes = QUEUE,
		.recv_cqes = QUEUE,
	};
	struct bench bench = { .messages = messages, .octets = octets, .signal_rate = signal_rate };
	u64 start, ns;
	int err;

	if (!signal_rate || signal_rate > QUEUE || !messages || messages % signal_rate ||
	    octets > VC_MAX_MESSAGE / 2 - VC_GRH)
		return -EINVAL;
	bench.pair = vc_pair_create(device, &options);
	if (IS_ERR(bench.pair))
		return PTR_ERR(bench.pair);
	start = ktime_get_ns();
	err = bench_run(&bench);
	ns = ktime_get_ns() - start;
	pr_info("verbs_check: bench %s octets=%u signal_rate=%u sent=%u arrived=%u ns=%llu\n",
		dev_name(&device->dev), octets, signal_rate, bench.sent, bench.arrived, ns);
	vc_pair_destroy(bench.pair);
	return err;
}
