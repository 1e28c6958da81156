// SPDX-License-Identifier: GPL-2.0-or-later
/* The command of a stream test: iterations until the figures can be trusted, then the report. */
#include "stream.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "confidence.h"
#include "dry_run.h"
#include "finish.h"
#include "interrupt.h"
#include "options.h"
#include "probe.h"
#include "result.h"
#include "worker.h"

#define MAX_ITERATIONS 1000

/* The rates of the iterations so far. */
struct history {
	size_t n;
	double sent[MAX_ITERATIONS];
	double received[MAX_ITERATIONS];
};

static void remember(struct history *h, const struct ubench_result *r)
{
	h->sent[h->n] = result_rate(r->sent.bytes, r->sent.seconds);
	h->received[h->n++] = result_rate(r->received.bytes, r->received.seconds);
}

static bool is_narrow(double width, double wanted)
{
	return !isnan(width) && width <= wanted;
}

/* Update the interval; true when the iterations are enough. */
static bool is_enough(const struct history *h, const struct options *opt,
		      struct result_confidence *c)
{
	c->iterations = (unsigned int)h->n;
	c->level_percent = (double)opt->confidence_percent;
	c->width_percent = (double)opt->width_percent;
	c->sent_width_percent = confidence_width_percent(h->sent, h->n, c->level_percent);
	c->received_width_percent = confidence_width_percent(h->received, h->n, c->level_percent);
	c->is_reached = is_narrow(c->sent_width_percent, c->width_percent) &&
			(opt->is_send_only ||
			 is_narrow(c->received_width_percent, c->width_percent));
	return c->is_reached && h->n >= (size_t)opt->min_iterations;
}

static void say_missed(struct ubench_result *r)
{
	const struct result_confidence *c = &r->confidence;

	result_set_error(r, UBENCH_EXIT_FAILED, "confidence",
			 "confidence not reached in %u iterations: at %.0f%% the interval is %.2f%% "
			 "(sent) and %.2f%% (received) wide, not %.0f%%", c->iterations,
			 c->level_percent, c->sent_width_percent, c->received_width_percent,
			 c->width_percent);
}

/* A further run of the same command. */
static void begin_one(struct ubench_result *one, const struct ubench_result *sum)
{
	result_init(one, sum->test);
	one->message_bytes = sum->message_bytes;
	strcpy(one->host, sum->host);
	strcpy(one->peer, sum->peer);
	strcpy(one->utc, sum->utc);
	if (result_set_command_line(one, (int)sum->n_command_line, sum->command_line))
		result_set_error(one, UBENCH_EXIT_FAILED, "client", "out of memory");
}

static void iterate(const struct stream_ops *ops, const struct options *opt,
		    struct ubench_result *sum)
{
	static struct history history;
	struct ubench_result one;
	bool is_done = false;

	while (!is_done && !sum->error.code && history.n < (size_t)opt->max_iterations &&
	       !interrupt_is_pending()) {
		begin_one(&one, sum);
		stream_run(ops, opt, &one);
		remember(&history, &one);
		if (result_pool(sum, &one))
			result_set_error(sum, UBENCH_EXIT_FAILED, "client", "out of memory");
		if (opt->max_iterations > 1)
			is_done = is_enough(&history, opt, &sum->confidence);
	}
	if (opt->max_iterations > 1 && !sum->error.code && !is_done)
		say_missed(sum);
}

/* What needs no result: -1 to go on, or the exit code. */
static int begin_alone(const struct options *opt, const struct options_test *test)
{
	const char *missing = probe_missing(opt);

	if (missing) {
		fprintf(stderr, "ubench %s: unsupported: %s\n", test->name, missing);
		return UBENCH_EXIT_UNSUPPORTED;
	}
	return opt->is_dry_run ? dry_run(opt, test) : -1;
}

int stream_main(const struct stream_ops *ops, int argc, char **argv)
{
	struct ubench_result result;
	struct options opt;
	int ret = options_parse(&opt, ops->test, argc, argv);

	if (ret >= 0)
		return ret;
	ret = begin_alone(&opt, ops->test);
	if (ret >= 0)
		return ret;
	finish_start(&result, &opt, ops->test->name, argc, argv);
	worker_init();
	ret = interrupt_init();
	if (ret)
		result_set_error(&result, UBENCH_EXIT_FAILED, "client", "setting up signals: %s",
				 strerror(-ret));
	else
		iterate(ops, &opt, &result);
	ret = finish_report(&result, &opt, ops->report);
	result_free(&result);
	return ret;
}
