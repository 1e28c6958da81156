// SPDX-License-Identifier: GPL-2.0-or-later
/* Progress of a sweep: a live line on a terminal, one plain line a run in a log. */
#include "sweep_progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "report_summary.h"

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

const char *sweep_progress_duration(double seconds, char *buf, size_t buf_len)
{
	long s = lround(seconds);

	if (s < 60)
		snprintf(buf, buf_len, "%ld s", s);
	else if (s < 3600)
		snprintf(buf, buf_len, "%ld min %02ld s", s / 60, s % 60);
	else
		snprintf(buf, buf_len, "%ld h %02ld min", s / 3600, s % 3600 / 60);
	return buf;
}

void sweep_progress_init(struct sweep_progress *progress, size_t done, size_t total)
{
	*progress = (struct sweep_progress){
		.done = done,
		.total = total,
		.started_s = now_s(),
		.live = isatty(STDERR_FILENO),
	};
}

/* "about 3 min 20 s left", from the mean of the runs so far; "" before the first. */
static const char *time_left(const struct sweep_progress *progress, char *buf, size_t buf_len)
{
	char text[32];
	double left_s;

	buf[0] = '\0';
	if (!progress->timed || progress->done == progress->total)
		return buf;
	left_s = (progress->run_started_s - progress->started_s) / (double)progress->timed *
		 (double)(progress->total - progress->done);
	left_s -= now_s() - progress->run_started_s;
	snprintf(buf, buf_len, "; about %s left",
		 sweep_progress_duration(fmax(left_s, 0), text, sizeof(text)));
	return buf;
}

static void head(const struct sweep_progress *progress)
{
	fprintf(stderr, "[%2zu/%zu] %s", progress->done + 1, progress->total, progress->label);
}

void sweep_progress_tick(void *context)
{
	struct sweep_progress *progress = context;
	char run[32], left[64];

	if (!progress->live)
		return;
	fputs("\r\033[K", stderr);
	head(progress);
	fprintf(stderr, ", %s%s",
		sweep_progress_duration(now_s() - progress->run_started_s, run, sizeof(run)),
		time_left(progress, left, sizeof(left)));
}

void sweep_progress_begin(struct sweep_progress *progress, const char *label)
{
	snprintf(progress->label, sizeof(progress->label), "%s", label);
	progress->run_started_s = now_s();
	if (progress->live)
		sweep_progress_tick(progress);
	else
		head(progress);
}

void sweep_progress_end(struct sweep_progress *progress, const double *values)
{
	char left[64];

	if (progress->live) {
		fputs("\r\033[K", stderr);
		head(progress);
	}
	fprintf(stderr, ": %.0f packets/s sent", values[METRIC_SENDER_PPS]);
	if (isfinite(values[METRIC_RECEIVER_PPS]))
		fprintf(stderr, ", %.0f received, loss %.2f %%", values[METRIC_RECEIVER_PPS],
			values[METRIC_LOSS_PERCENT]);
	progress->done++;
	progress->timed++;
	progress->run_started_s = now_s();
	fprintf(stderr, "%s\n", time_left(progress, left, sizeof(left)));
	progress->label[0] = '\0';
}

void sweep_progress_clear(struct sweep_progress *progress)
{
	if (!progress->label[0])
		return;
	fputs(progress->live ? "\r\033[K" : "\n", stderr);
	progress->label[0] = '\0';
}
