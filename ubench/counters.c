// SPDX-License-Identifier: GPL-2.0-or-later
/* What the device did for a run, from the device's own counters rather than from packet counts. */
#include "counters.h"

#include <dirent.h>
#include <inttypes.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "knob.h"

const char *const counter_names[COUNTERS] = {
	[COUNTER_TX_WRS] = "tx_wrs",
	[COUNTER_TX_CQES] = "tx_cqes",
	[COUNTER_TX_EVENTS] = "tx_events",
	[COUNTER_TX_DOORBELLS] = "tx_doorbells",
};

static bool read_u64(const char *path, uint64_t *value)
{
	FILE *file = fopen(path, "re");
	bool ok;

	if (!file)
		return false;
	ok = fscanf(file, "%" SCNu64, value) == 1;
	fclose(file);
	return ok;
}

/* The RDMA device under the interface; false if there is none. */
static bool find_device(const struct knob *knob, char *name, size_t name_len)
{
	char path[320];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/device/infiniband", knob->dir);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			found = snprintf(name, name_len, "%s", entry->d_name) < (int)name_len;
	closedir(dir);
	return found;
}

static bool read_hw_counters(const struct knob *knob, struct counters *now)
{
	char device[64], path[512];
	uint64_t dev_port = 0;
	bool any = false;
	int id;

	if (!find_device(knob, device, sizeof(device)))
		return false;
	snprintf(path, sizeof(path), "%s/dev_port", knob->dir);
	read_u64(path, &dev_port);
	for (id = 0; id < COUNTERS; id++) {
		snprintf(path, sizeof(path),
			 "%s/device/infiniband/%s/ports/%" PRIu64 "/hw_counters/%s", knob->dir,
			 device, dev_port + 1, counter_names[id]);
		now->known[id] = read_u64(path, &now->value[id]);
		any |= now->known[id];
	}
	if (any)
		snprintf(now->source, sizeof(now->source), "hw_counters of %s port %" PRIu64, device,
			 dev_port + 1);
	return any;
}

static int ethtool_call(int sock, const struct knob *knob, void *command)
{
	struct ifreq request = { .ifr_data = command };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", knob->iface);
	return ioctl(sock, SIOCETHTOOL, &request);
}

/* Which counter a statistic of the patched driver adds to, or -1. */
static int statistic_id(const char *name)
{
	if (!strncmp(name, "tx_signaled", ETH_GSTRING_LEN) ||
	    !strncmp(name, "tx_unsignaled", ETH_GSTRING_LEN))
		return COUNTER_TX_WRS;
	if (!strncmp(name, "tx_cqe", ETH_GSTRING_LEN))
		return COUNTER_TX_CQES;
	if (!strncmp(name, "tx_doorbell", ETH_GSTRING_LEN))
		return COUNTER_TX_DOORBELLS;
	return -1;
}

static bool read_statistics(int sock, const struct knob *knob, unsigned int n, struct counters *now)
{
	struct ethtool_gstrings *names = calloc(1, sizeof(*names) + (size_t)n * ETH_GSTRING_LEN);
	struct ethtool_stats *stats = calloc(1, sizeof(*stats) + n * sizeof(stats->data[0]));
	bool any = false;
	unsigned int i;
	int id;

	if (!names || !stats)
		goto free_both;
	*names = (struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_STATS, n };
	*stats = (struct ethtool_stats){ ETHTOOL_GSTATS, n };
	if (ethtool_call(sock, knob, names) || ethtool_call(sock, knob, stats))
		goto free_both;
	for (i = 0; i < n && i < names->len && i < stats->n_stats; i++) {
		id = statistic_id((const char *)names->data + (size_t)i * ETH_GSTRING_LEN);
		if (id < 0)
			continue;
		now->known[id] = true;
		now->value[id] += stats->data[i];
		any = true;
	}
free_both:
	free(names);
	free(stats);
	return any;
}

static void read_ethtool(const struct knob *knob, struct counters *now)
{
	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (sock < 0)
		return;
	if (!ethtool_call(sock, knob, &info) && info.n_stats < 4096 &&
	    read_statistics(sock, knob, info.n_stats, now))
		snprintf(now->source, sizeof(now->source), "ethtool -S %s", knob->iface);
	close(sock);
}

void counters_read(const struct knob *knob, struct counters *now)
{
	memset(now, 0, sizeof(*now));
	if (!read_hw_counters(knob, now))
		read_ethtool(knob, now);
}

void counters_read_settled(const struct knob *knob, struct counters *now)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	struct counters before;
	int readings = 0;

	counters_read(knob, now);
	do {
		before = *now;
		nanosleep(&pause, NULL);
		counters_read(knob, now);
	} while (memcmp(before.value, now->value, sizeof(now->value)) && ++readings < 50);
}

struct counters counters_since(const struct counters *before, const struct counters *after)
{
	struct counters delta = { 0 };
	int id;

	if (strcmp(before->source, after->source))
		return delta;
	memcpy(delta.source, after->source, sizeof(delta.source));
	for (id = 0; id < COUNTERS; id++) {
		delta.known[id] = before->known[id] && after->known[id] &&
				  after->value[id] >= before->value[id];
		if (delta.known[id])
			delta.value[id] = after->value[id] - before->value[id];
	}
	return delta;
}
