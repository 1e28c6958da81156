// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets that an interface has dropped, by place; of whomever they were. */
#include "drops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The value below the column name of the Udp lines of /proc/net/snmp. */
static uint64_t checksum_errors_ipv4(void)
{
	char names[512], values[512], *name, *value, *names_left, *values_left;
	FILE *f = fopen("/proc/net/snmp", "re");
	uint64_t errors = 0;

	if (!f)
		return 0;
	while (fgets(names, sizeof(names), f) && fgets(values, sizeof(values), f)) {
		if (strncmp(names, "Udp:", 4))
			continue;
		name = strtok_r(names, " \n", &names_left);
		value = strtok_r(values, " \n", &values_left);
		for (; name && value; name = strtok_r(NULL, " \n", &names_left),
				      value = strtok_r(NULL, " \n", &values_left))
			if (!strcmp(name, "InCsumErrors"))
				errors = strtoull(value, NULL, 10);
	}
	fclose(f);
	return errors;
}

static uint64_t checksum_errors_ipv6(void)
{
	FILE *f = fopen("/proc/net/snmp6", "re");
	uint64_t errors = 0, value;
	char name[64];

	while (f && fscanf(f, "%63s %" SCNu64, name, &value) == 2)
		if (!strcmp(name, "Udp6InCsumErrors"))
			errors = value;
	if (f)
		fclose(f);
	return errors;
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
		.checksum = checksum_errors_ipv4() + checksum_errors_ipv6(),
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
		.checksum = grown(before->checksum, after->checksum),
	};
}

struct drops drops_join(const struct drops *sender, const struct drops *receiver)
{
	return (struct drops){
		.queue = sender->queue,
		.transmit_ring = sender->transmit_ring,
		.receive_ring = receiver->receive_ring,
		.checksum = receiver->checksum,
	};
}
