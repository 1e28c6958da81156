/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asynchronous events of a device during a run: told by name as they come; a fatal one ends it, as its error. */
#ifndef UBENCH_VERBS_ASYNC_H
#define UBENCH_VERBS_ASYNC_H

#include <stdatomic.h>
#include <stdbool.h>

#include "result.h"
#include "verbs_device.h"
#include "worker.h"

struct json_t;

#define VERBS_ASYNC_KEPT 16

struct verbs_async {
	struct worker worker;
	const struct verbs_device *dev;	/* not owned */
	atomic_bool *stops;		/* set at a fatal event */
	atomic_bool is_fatal;		/* one has come */
	atomic_uint n;			/* events seen */
	/* Valid after verbs_async_stop(). */
	int kept[VERBS_ASYNC_KEPT];	/* enum ibv_event_type of the first */
	struct result_error error;	/* of the first fatal one */
};

/* Start the watching thread. 0 or -errno. */
int verbs_async_start(struct verbs_async *a, const struct verbs_device *dev, atomic_bool *stops);
void verbs_async_stop(struct verbs_async *a);
/* Give the event that explains a failed work request a moment to come: until there is one, at most wait_ns. */
void verbs_async_settle(struct verbs_async *a, int64_t wait_ns);

/* Names of the events kept: a new reference to an array. */
struct json_t *verbs_async_names(const struct verbs_async *a);

#endif
