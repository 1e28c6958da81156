// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets that an interface has dropped, by place; of whomever they were. */
#include "drops.h"

#include <inttypes.h>
#include <stdio.h>

#include "qdisc.h"

static uint64_t statistic(const char *interface, const char *name)
{
	uint64_t value = 0;
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/statistics/%s", interface, name);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu64, &value) != 1)
		value = 0;
	fclose(f);
	return value;
}

struct drops drops_now(const char *interface)
{
	struct qdisc q;

	if (!*interface)
		return (struct drops){ 0 };
	qdisc_read(interface, &q);
	return (struct drops){
		.queue = q.drops,
		.transmit_ring = statistic(interface, "tx_dropped"),
		.receive_ring = statistic(interface, "rx_dropped") +
				statistic(interface, "rx_missed_errors") +
				statistic(interface, "rx_fifo_errors"),
	};
}

static uint64_t grown(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

struct drops drops_since(const struct drops *before, const struct drops *after)
{
	return (struct drops){
		.queue = (uint32_t)(after->queue - before->queue),
		.transmit_ring = grown(before->transmit_ring, after->transmit_ring),
		.receive_ring = grown(before->receive_ring, after->receive_ring),
	};
}
