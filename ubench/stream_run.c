// SPDX-License-Identifier: GPL-2.0-or-later
/* One run of a stream test, from its start to its end. */
#include "stream_run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "cmd.h"
#include "cpu.h"
#include "env.h"
#include "event_stream.h"
#include "options.h"
#include "sender.h"
#include "session_test.h"
#include "stream.h"

bool stream_run_fail(struct stream_run *run, const char *where, const char *doing, int error)
{
	result_set_error(run->result, UBENCH_EXIT_FAILED, where, "%s: %s", doing,
			 strerror(error < 0 ? -error : error));
	return false;
}

static struct result_sent progress(const struct stream_run *run)
{
	struct result_sent sum = sending_total(&run->sending);
	unsigned int i;

	if (!run->ops->progress)
		return sum;
	sum.bytes = 0;
	for (i = 0; i < run->sending.n; i++)
		sum.bytes += run->ops->progress(&run->sending.senders[i]);
	return sum;
}

static void tick(void *context, int64_t now_ns)
{
	struct stream_run *run = context;
	struct result_sent totals = progress(run);

	interim_row(&run->interim, now_ns, &totals, run->has_arrived ? &run->arrived.packets : NULL);
}

/* The control connection was cut: the data goes on while a new one is sought. */
static bool start_resume(struct stream_run *run)
{
	int ret = resume_start(&run->resume, &run->client);

	if (ret)
		return stream_run_fail(run, "control", "resuming the control connection", ret);
	run->watch.control_fd = run->resume.done_fd;
	run->has_arrived = false;
	return true;
}

static bool hear(void *context)
{
	struct stream_run *run = context;
	int ret;

	if (run->resume.is_running) {
		if (!resume_finish(&run->resume, &run->client))
			return false;
		run->watch.control_fd = run->client.control.fd;
		return true;
	}
	ret = client_hear(&run->client, &run->arrived);
	if (!ret)
		return start_resume(run);
	run->has_arrived = ret > 0;
	return ret > 0;
}

static void set_watch(struct stream_run *run, double seconds, double interval_s)
{
	run->watch = (struct watch){
		.start_ns = clock_now_ns(),
		.duration_ns = clock_from_seconds(seconds),
		.interval_ns = clock_from_seconds(interval_s),
		.workers = run->sending.n,
		.done_fd = run->done_fd,
		.control_fd = run->resume.is_running ? run->resume.done_fd : run->client.control.fd,
		.control = hear,
		.tick = tick,
		.context = run,
	};
}

/* Let the senders send what nobody counts. Returns what ended it. */
static enum watch_end warm_up(struct stream_run *run)
{
	enum watch_end end;
	unsigned int i;

	set_watch(run, run->opt->warmup_s, 0);
	end = watch_run(&run->watch);
	run->cpu_at_start = cpu_now();
	sending_mark_drops(&run->sending);
	for (i = 0; i < run->sending.n; i++)
		sender_end_warmup(&run->sending.senders[i]);
	return end;
}

/* The counted part, with its interim results. */
static bool watch_counted(struct stream_run *run)
{
	struct result_sent totals;

	if (run->opt->is_bidirectional && !stream_begin_reverse(run))
		return false;
	set_watch(run, run->opt->seconds, run->opt->interval_s);
	run->interim = (struct interim){
		.out = options_is_for_machines(run->opt) ? NULL : stdout,
		.has_events = run->opt->form == OPTIONS_JSON_STREAM,
		.has_keywords = run->opt->form == OPTIONS_KEYWORDS,
		.has_transactions = run->ops->is_request_response,
		.result = run->result, .start_ns = run->watch.start_ns,
		.last_ns = run->watch.start_ns, .interval_ns = run->watch.interval_ns };
	if (run->ops->progress)
		run->interim.last.bytes = progress(run).bytes;
	watch_run(&run->watch);
	totals = progress(run);
	interim_end(&run->interim, clock_now_ns(), &totals);
	return true;
}

/* Start all senders and block until the run is over and they have stopped. */
static bool send_all(struct stream_run *run)
{
	enum watch_end end = WATCH_TIME_IS_UP;
	bool is_counted = true;
	unsigned int i;
	int ret;

	run->cpu_at_start = cpu_now();
	ret = sending_start(&run->sending);
	watch_raise_priority();
	if (!ret && run->opt->warmup_s > 0)
		end = warm_up(run);
	if (!ret && end == WATCH_TIME_IS_UP)
		is_counted = watch_counted(run);
	sending_stop(&run->sending);
	watch_restore_priority();
	run->result->local_cpu = cpu_since(&run->cpu_at_start);
	for (i = 0; run->ops->shut && i < run->sending.n; i++)
		run->ops->shut(&run->sending.senders[i]);
	return ret ? stream_run_fail(run, "data", "starting a thread", ret) : is_counted;
}

static void run_steps(struct stream_run *run)
{
	if (affinity_check(run->opt->local_cpu)) {
		result_set_error(run->result, UBENCH_EXIT_FAILED, "client",
				 "no CPU %ld at this end", run->opt->local_cpu);
		return;
	}
	if (!stream_prepare(run))
		return;
	run->result->environment = env_collect(run->sending.interface);
	if (run->opt->form == OPTIONS_JSON_STREAM)
		event_stream_start(run->result);
	if (send_all(run))
		stream_account(run);
}

void stream_run(const struct stream_ops *ops, const struct options *opt, struct ubench_result *r)
{
	static struct stream_run run;

	run = (struct stream_run){ .ops = ops, .opt = opt, .result = r, .done_fd = -1,
		.client = { .opt = opt, .result = r, .control.fd = -1 } };
	run_steps(&run);
	resume_finish(&run.resume, &run.client);
	if (opt->is_bidirectional && ops->receiving)
		ops->receiving->abort();
	group_free(&run.group);
	sending_free(&run.sending);
	if (run.done_fd >= 0)
		close(run.done_fd);
	channel_close(&run.client.control);
}
