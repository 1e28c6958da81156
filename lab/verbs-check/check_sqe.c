// SPDX-License-Identifier: GPL-2.0-only
/* SQE: entered by an error and left on request, while other requests are under way. */
#include "check.h"
#include "pair.h"

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#define CHAIN 256
#define ROUNDS 200

static const struct vc_options always = {
	.signaling = IB_SIGNAL_ALL_WR,
	.send_wrs = CHAIN,
	.send_cqes = CHAIN,
};

/**
 * struct vc_sqe - a chain of requests of which one is in error
 * @work: posts it, on another CPU than the one that waits for the error where there is one
 * @pair: where to
 * @bad:  what that one sends
 * @good: what the others send
 * @wr:   the chain
 * @err:  what ib_post_send() returned
 */
struct vc_sqe {
	struct work_struct work;
	struct vc_pair *pair;
	struct ib_sge bad;
	struct ib_sge good;
	struct ib_ud_wr wr[CHAIN];
	int err;
};

static void sqe_post(struct work_struct *work)
{
	struct vc_sqe *sqe = container_of(work, struct vc_sqe, work);

	sqe->err = ib_post_send(sqe->pair->from, &sqe->wr[0].wr, NULL);
}

/* A chain whose request @bad is in error, or NULL. */
static struct vc_sqe *sqe_create(struct vc_pair *pair, int bad)
{
	struct vc_sqe *sqe = kzalloc(sizeof(*sqe), GFP_KERNEL);

	if (!sqe)
		return NULL;
	INIT_WORK(&sqe->work, sqe_post);
	sqe->pair = pair;
	sqe->good = (struct ib_sge){ pair->address, VC_MESSAGE, pair->pd->local_dma_lkey };
	sqe->bad = (struct ib_sge){ pair->address, VC_MESSAGE, 0xbad };
	vc_chain(pair, sqe->wr, CHAIN, &sqe->good);
	sqe->wr[bad].wr.sg_list = &sqe->bad;
	return sqe;
}

/* The next completion of a send. 0, or -ETIMEDOUT. */
static int sqe_poll(struct vc_pair *pair, struct ib_wc *wc)
{
	unsigned long end = jiffies + 10 * HZ;

	while (ib_poll_cq(pair->send.cq, 1, wc) != 1) {
		if (time_after(jiffies, end))
			return VC_EXPECT(!"every request completes") ?: -ETIMEDOUT;
		cond_resched();
	}
	return 0;
}

/* The first request ends in error; from then on some are flushed, and after these all succeed. */
static int sqe_ends(struct vc_sqe *sqe)
{
	struct vc_pair *pair = sqe->pair;
	bool resumed = false;
	struct ib_wc wc;
	int i, err;

	err = sqe_poll(pair, &wc);
	err = err ?: VC_EXPECT(wc.wr_id == 0 && wc.status == IB_WC_LOC_PROT_ERR);
	err = err ?: vc_set_state(pair->from, IB_QPS_RTS);
	for (i = 1; i < CHAIN && !err; i++) {
		err = sqe_poll(pair, &wc);
		resumed = resumed || wc.status == IB_WC_SUCCESS;
		err = err ?: VC_EXPECT(wc.wr_id == i);
		err = err ?: VC_EXPECT(wc.status == (resumed ? IB_WC_SUCCESS : IB_WC_WR_FLUSH_ERR));
	}
	err = err ?: vc_send(pair, CHAIN, 0);
	err = err ?: sqe_poll(pair, &wc);
	return err ?: VC_EXPECT(wc.wr_id == CHAIN && wc.status == IB_WC_SUCCESS);
}

/* Whoever takes the queue to be in RTS is told when it no longer is, and it stays in SQE. */
static int sqe_begins(struct vc_sqe *sqe)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTS, .cur_qp_state = IB_QPS_RTS };
	const int mask = IB_QP_STATE | IB_QP_CUR_STATE;
	struct vc_pair *pair = sqe->pair;
	struct ib_wc wc;
	int i, err = 0;

	for (i = 0; i < CHAIN && !err; i++) {
		ib_modify_qp(pair->from, &attr, mask);
		err = sqe_poll(pair, &wc);
		err = err ?: VC_EXPECT(i <= CHAIN / 2 || wc.status == IB_WC_WR_FLUSH_ERR);
	}
	err = err ?: VC_EXPECT(ib_modify_qp(pair->from, &attr, mask) == -EINVAL);
	return err ?: vc_set_state(pair->from, IB_QPS_RTS);
}

/* Posts the chain elsewhere while @meanwhile runs here. */
static int sqe_round(struct vc_sqe *sqe, int (*meanwhile)(struct vc_sqe *sqe))
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	int err;

	if (cpu >= nr_cpu_ids)
		cpu = raw_smp_processor_id();
	queue_work_on(cpu, system_wq, &sqe->work);
	err = meanwhile(sqe);
	flush_work(&sqe->work);
	return err ?: VC_EXPECT(!sqe->err);
}

static int sqe_rounds(struct vc_pair *pair, int bad, int (*meanwhile)(struct vc_sqe *sqe))
{
	struct vc_sqe *sqe = sqe_create(pair, bad);
	int i, err = 0;

	if (!sqe)
		return -ENOMEM;
	for (i = 0; i < ROUNDS && !err; i++)
		err = sqe_round(sqe, meanwhile);
	kfree(sqe);
	return err;
}

static int leaving_body(struct vc_pair *pair)
{
	return sqe_rounds(pair, 0, sqe_ends);
}

static int leaving(struct ib_device *device)
{
	return vc_with_pair(device, &always, leaving_body);
}

static int entering_body(struct vc_pair *pair)
{
	return sqe_rounds(pair, CHAIN / 2, sqe_begins);
}

static int entering(struct ib_device *device)
{
	return vc_with_pair(device, &always, entering_body);
}

const struct vc_check vc_sqe_checks[] = {
	{ "a queue back in RTS stays there, whatever it was flushing", leaving },
	{ "who changes a queue in RTS does not undo an error meanwhile", entering },
	{}
};
