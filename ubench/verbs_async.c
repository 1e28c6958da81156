// SPDX-License-Identifier: GPL-2.0-or-later
/* Asynchronous events of a device during a run: told by name as they come; a fatal one ends it, as its error. */
#include "verbs_async.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "affinity.h"
#include "clock.h"
#include "cmd.h"
#include "verbs_error.h"

/* What to do about an event that ends the run, NULL for the others. */
static const char *fatal_advice(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return "the completion queue overran or broke; take smaller depths (-t, -r)";
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
		return "a queue pair went to its error state; see dmesg";
	case IBV_EVENT_DEVICE_FATAL:
		return "the device failed or was removed; see dmesg";
	default:
		return NULL;
	}
}

static void take(struct verbs_async *a, const struct ibv_async_event *event)
{
	const char *advice = fatal_advice(event->event_type);

	if (a->n < VERBS_ASYNC_KEPT)
		a->kept[a->n] = (int)event->event_type;
	a->n++;
	if (!advice) {
		fprintf(stderr, "ubench: %s: %s (%s)\n", verbs_device_name(a->dev),
			verbs_event_name((int)event->event_type),
			ibv_event_type_str(event->event_type));
		return;
	}
	verbs_fail(&a->error, UBENCH_EXIT_FAILED, "device", "%s on %s; %s",
		   verbs_event_name((int)event->event_type), verbs_device_name(a->dev), advice);
	atomic_store(&a->is_fatal, true);
	atomic_store(a->stops, true);
}

static void watch(struct worker *w)
{
	struct verbs_async *a = (struct verbs_async *)((char *)w - offsetof(struct verbs_async, worker));
	struct pollfd p = { .fd = a->dev->ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	while (!atomic_load(&w->should_stop)) {
		if (poll(&p, 1, -1) <= 0)
			continue;
		if (ibv_get_async_event(a->dev->ctx, &event)) {
			if (errno == EAGAIN || errno == EINTR)
				continue;
			return;
		}
		take(a, &event);
		ibv_ack_async_event(&event);
	}
}

int verbs_async_start(struct verbs_async *a, const struct verbs_device *dev, atomic_bool *stops)
{
	int fd = dev->ctx->async_fd;

	memset(a, 0, sizeof(*a));
	a->dev = dev;
	a->stops = stops;
	a->worker.body = watch;
	a->worker.cpu = AFFINITY_ANY;
	a->worker.node = -1;
	a->worker.done_fd = -1;
	if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK))
		return -errno;
	return worker_start(&a->worker);
}

void verbs_async_settle(struct verbs_async *a, int64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 10 * NSEC_PER_MSEC };
	int64_t deadline_ns = clock_now_ns() + wait_ns;

	while (!atomic_load(&a->n) && clock_now_ns() < deadline_ns)
		nanosleep(&pause, NULL);
}

void verbs_async_stop(struct verbs_async *a)
{
	worker_stop(&a->worker);
}

json_t *verbs_async_names(const struct verbs_async *a)
{
	json_t *names = json_array();
	unsigned int i;

	for (i = 0; i < a->n && i < VERBS_ASYNC_KEPT; i++)
		json_array_append_new(names, json_string(verbs_event_name(a->kept[i])));
	return names;
}
