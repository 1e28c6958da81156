// SPDX-License-Identifier: GPL-2.0-or-later
/* What a run depended on: host, kernel, CPU, interface, driver and its knobs. */
#include "env.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <jansson.h>

#include "affinity.h"
#include "offloads.h"
#include "qdisc.h"

/* First line of a file as a string, or null. */
static json_t *file_line(const char *path)
{
	char line[256];
	FILE *f = fopen(path, "re");
	json_t *value = NULL;

	if (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		value = json_string(line);
	}
	if (f)
		fclose(f);
	return value ? value : json_null();
}

/* First line of a file as an integer, or null. */
static json_t *file_integer(const char *path)
{
	json_t *line = file_line(path), *value = json_null();
	const char *text = json_string_value(line);
	char *end;

	if (text && *text) {
		long long n = strtoll(text, &end, 10);

		if (!*end)
			value = json_integer(n);
	}
	json_decref(line);
	return value;
}

static json_t *interface_file(const char *interface, const char *name, json_t *(*read)(const char *))
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", interface, name);
	return read(path);
}

static json_t *cpu_model(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256], *value;
	json_t *model = NULL;

	while (f && !model && fgets(line, sizeof(line), f)) {
		value = strstr(line, ": ");
		if (strncmp(line, "model name", 10) || !value)
			continue;
		line[strcspn(line, "\n")] = '\0';
		model = json_string(value + 2);
	}
	if (f)
		fclose(f);
	return model ? model : json_null();
}

/* CPUs that this process may run on. */
static json_t *allowed_cpus(void)
{
	json_t *list = json_array();
	cpu_set_t set;
	size_t cpu;

	CPU_ZERO(&set);
	if (!sched_getaffinity(0, sizeof(set), &set))
		for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &set))
				json_array_append_new(list, json_integer((json_int_t)cpu));
	return list;
}

static void add_driver(json_t *env, const char *interface)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq ifr = { .ifr_data = (char *)&info };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", interface);
	if (fd >= 0 && !ioctl(fd, SIOCETHTOOL, &ifr)) {
		json_object_set_new(env, "driver", json_string(info.driver));
		json_object_set_new(env, "driver_version", json_string(info.version));
	}
	if (fd >= 0)
		close(fd);
}

static void add_interface(json_t *env, const char *interface)
{
	static const struct {
		const char *key, *file;
		json_t *(*read)(const char *path);
	} items[] = {
		{ "mtu", "mtu", file_integer },
		{ "tx_queue_len", "tx_queue_len", file_integer },
		{ "link_speed_mbit_s", "speed", file_integer },
		{ "ipoib_mode", "mode", file_line },
		{ "tx_signal_rate", "tx_signal_rate", file_integer },
		{ "tx_signal_usecs", "tx_signal_usecs", file_integer },
	};
	struct qdisc queue;
	size_t i;

	json_object_set_new(env, "interface", json_string(interface));
	for (i = 0; i < sizeof(items) / sizeof(*items); i++)
		json_object_set_new(env, items[i].key,
				    interface_file(interface, items[i].file, items[i].read));
	json_object_set_new(env, "numa_node", json_integer(affinity_node_of("net", interface)));
	json_object_set_new(env, "qdisc", qdisc_read(interface, &queue) || !*queue.root ?
						  json_null() : json_string(queue.root));
	json_object_set_new(env, "offloads", offloads_collect(interface));
	add_driver(env, interface);
}

json_t *env_collect(const char *interface)
{
	struct utsname u;
	json_t *env;

	if (uname(&u))
		return json_object();
	env = json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:o}", "kernel", u.release,
			"kernel_version", u.version, "machine", u.machine, "cpu_model", cpu_model(),
			"governor",
			file_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
			"online_cpus", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
			"allowed_cpus", allowed_cpus());
	if (env && *interface)
		add_interface(env, interface);
	return env;
}
