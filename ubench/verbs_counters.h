/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the device counted during a run, and which of it explains lost packets. */
#ifndef UBENCH_VERBS_COUNTERS_H
#define UBENCH_VERBS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct json_t;
struct verbs_device;

/*
 * All of the port's counters and hw_counters as sysfs shows them, and its
 * Q_Key violations, as an object of integers: a new reference, empty where
 * the device counts nothing.
 */
struct json_t *verbs_counters_read(const struct verbs_device *d);

/* after - before, of what only grew: a new reference. Pure. */
struct json_t *verbs_counters_since(const struct json_t *before, const struct json_t *after);

/* Packets of others are in these too: upper bounds for the run's own. */
struct verbs_drops {
	uint64_t no_receive_wr;		/* the receive queue was empty */
	uint64_t wrong_qkey;
	char source[48];		/* of no_receive_wr; "" when the device does not tell */
};

/*
 * What a receiver's counter differences say. completions are the packets it
 * took out itself: where a device counts arrivals but not drops, the rest of
 * the arrivals found no receive WR. Pure.
 */
struct verbs_drops verbs_counters_drops(const struct json_t *since, uint64_t completions);

#endif
