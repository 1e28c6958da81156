/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work requests, completions, events and doorbells of the device under an interface. */
#ifndef UBENCH_COUNTERS_H
#define UBENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct knob;

enum counter_id { COUNTER_TX_WRS, COUNTER_TX_CQES, COUNTER_TX_EVENTS, COUNTER_TX_DOORBELLS, COUNTERS };

/* Names as in sysfs hw_counters and in JSON, by enum counter_id. */
extern const char *const counter_names[COUNTERS];

struct counters {
	char source[96];	/* "hw_counters of softib0 port 1", "ethtool -S ib0", "" if none */
	bool known[COUNTERS];
	uint64_t value[COUNTERS];
};

/*
 * Reads the counters from the hw_counters of the RDMA device under the interface; where the device
 * has none of them, from the driver's own statistics (as `ethtool -S` shows them). What neither
 * counts is not known. Never fails.
 */
void counters_read(const struct knob *knob, struct counters *now);

/*
 * Reads until two readings 10 ms apart agree, at most for half a second, so that completions held
 * back for the last packets of a run are counted with it.
 */
void counters_read_settled(const struct knob *knob, struct counters *now);

/* after - before; known where both are and come from the same source. Pure. */
struct counters counters_since(const struct counters *before, const struct counters *after);

#endif
