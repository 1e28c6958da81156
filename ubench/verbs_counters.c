// SPDX-License-Identifier: GPL-2.0-or-later
/* What the device counted during a run, and which of it explains lost packets. */
#include "verbs_counters.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "verbs_device.h"

#define QKEY_VIOLATIONS "qkey_violations"
/* rxe: packets that passed every check up to the queue pair. */
#define ARRIVALS "rcvd_pkts"

/* Drops for want of a receive WR, by the names of the drivers that count them. */
static const char *const no_receive_wr_names[] = {
	"out_of_buffer",	/* mlx5 */
	"drop_no_receive_wr",	/* softib */
	"rx_no_wqe",
};

static void read_one(json_t *into, const char *dir, const char *name)
{
	char path[512];
	uint64_t value;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fscanf(f, "%" SCNu64, &value) == 1)
		json_object_set_new(into, name, json_integer((json_int_t)value));
	fclose(f);
}

static void read_dir(json_t *into, const struct verbs_device *d, const char *kind)
{
	struct dirent *entry;
	char path[192];
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/%s", verbs_device_name(d),
		 d->port, kind);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "lifespan"))
			read_one(into, path, entry->d_name);
	closedir(dir);
}

json_t *verbs_counters_read(const struct verbs_device *d)
{
	json_t *all = json_object();
	struct ibv_port_attr port;

	read_dir(all, d, "counters");
	read_dir(all, d, "hw_counters");
	if (!ibv_query_port(d->ctx, d->port, &port))
		json_object_set_new(all, QKEY_VIOLATIONS, json_integer(port.qkey_viol_cntr));
	return all;
}

json_t *verbs_counters_since(const json_t *before, const json_t *after)
{
	json_t *since = json_object(), *value;
	const char *name;

	json_object_foreach((json_t *)after, name, value) {
		json_int_t delta = json_integer_value(value) -
				   json_integer_value(json_object_get(before, name));

		if (delta >= 0 && json_object_get(before, name))
			json_object_set_new(since, name, json_integer(delta));
	}
	return since;
}

static uint64_t get(const json_t *since, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(since, name));
}

struct verbs_drops verbs_counters_drops(const json_t *since, uint64_t completions)
{
	struct verbs_drops drops = { .wrong_qkey = get(since, QKEY_VIOLATIONS) };
	size_t i;

	for (i = 0; i < sizeof(no_receive_wr_names) / sizeof(*no_receive_wr_names); i++) {
		if (!json_object_get(since, no_receive_wr_names[i]))
			continue;
		snprintf(drops.source, sizeof(drops.source), "%s", no_receive_wr_names[i]);
		drops.no_receive_wr = get(since, no_receive_wr_names[i]);
		return drops;
	}
	if (json_object_get(since, ARRIVALS)) {
		uint64_t arrivals = get(since, ARRIVALS);

		snprintf(drops.source, sizeof(drops.source), ARRIVALS " - completions");
		drops.no_receive_wr = arrivals > completions ? arrivals - completions : 0;
	}
	return drops;
}
