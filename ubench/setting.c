// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads and sets what belongs to an interface beside tx_signal_rate, by sysfs or by ethtool's ioctl. */
#include "setting.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "knob.h"

/* Where a value of ethtool's lies: the commands that get and set its structure, and its place there. */
struct ethtool_place {
	const char *name;
	uint32_t get, set;
	size_t offset;
};

#define COALESCE(text, member) \
	{ text, ETHTOOL_GCOALESCE, ETHTOOL_SCOALESCE, offsetof(struct ethtool_coalesce, member) }
#define RING(text, member) \
	{ text, ETHTOOL_GRINGPARAM, ETHTOOL_SRINGPARAM, offsetof(struct ethtool_ringparam, member) }

static const struct ethtool_place ethtool_places[] = {
	COALESCE("tx-frames", tx_max_coalesced_frames),
	COALESCE("tx-usecs", tx_coalesce_usecs),
	COALESCE("tx-frames-irq", tx_max_coalesced_frames_irq),
	COALESCE("tx-usecs-irq", tx_coalesce_usecs_irq),
	COALESCE("rx-frames", rx_max_coalesced_frames),
	COALESCE("rx-usecs", rx_coalesce_usecs),
	COALESCE("rx-frames-irq", rx_max_coalesced_frames_irq),
	COALESCE("rx-usecs-irq", rx_coalesce_usecs_irq),
	COALESCE("adaptive-rx", use_adaptive_rx_coalesce),
	COALESCE("adaptive-tx", use_adaptive_tx_coalesce),
	RING("ring-rx", rx_pending),
	RING("ring-tx", tx_pending),
};

enum { ETHTOOL_PLACES = sizeof(ethtool_places) / sizeof(ethtool_places[0]) };

/* Either structure, with the command in front. */
union ethtool_block {
	uint32_t cmd;
	struct ethtool_coalesce coalesce;
	struct ethtool_ringparam ring;
};

static const struct ethtool_place *find_place(const char *name)
{
	size_t i;

	for (i = 0; i < ETHTOOL_PLACES; i++)
		if (!strcmp(ethtool_places[i].name, name))
			return &ethtool_places[i];
	return NULL;
}

const char *setting_ethtool_names(void)
{
	static char names[256];
	size_t i, len = 0;

	for (i = 0; i < ETHTOOL_PLACES; i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s", i ? " " : "",
					ethtool_places[i].name);
	return names;
}

/* A path that stays below the interface's own directory. */
static int attribute_is_valid(const char *name)
{
	return *name && *name != '/' && strcmp(name, "..") && strncmp(name, "../", 3) &&
	       !strstr(name, "/..") && !strpbrk(name, "=\n");
}

int setting_parse(struct setting *setting, const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon || strlen(colon + 1) >= sizeof(setting->name))
		return -EINVAL;
	strcpy(setting->name, colon + 1);
	if (!strncmp(text, "sysfs:", 6)) {
		setting->kind = SETTING_SYSFS;
		return attribute_is_valid(setting->name) ? 0 : -EINVAL;
	}
	setting->kind = SETTING_ETHTOOL;
	return !strncmp(text, "ethtool:", 8) && find_place(setting->name) ? 0 : -EINVAL;
}

const char *setting_text(const struct setting *setting, char *buf, size_t buf_len)
{
	snprintf(buf, buf_len, "%s:%s", setting->kind == SETTING_SYSFS ? "sysfs" : "ethtool",
		 setting->name);
	return buf;
}

static int ethtool_call(const struct knob *iface, union ethtool_block *block)
{
	struct ifreq request = { .ifr_data = (void *)block };
	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err;

	if (sock < 0)
		return -errno;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface->iface);
	err = ioctl(sock, SIOCETHTOOL, &request) ? -errno : 0;
	close(sock);
	return err;
}

static int ethtool_get(const struct knob *iface, const struct ethtool_place *value,
		       union ethtool_block *block, uint32_t *number)
{
	int err;

	*block = (union ethtool_block){ .cmd = value->get };
	err = ethtool_call(iface, block);
	if (!err)
		memcpy(number, (char *)block + value->offset, sizeof(*number));
	return err;
}

static int ethtool_set(const struct knob *iface, const struct ethtool_place *value, uint32_t number)
{
	union ethtool_block block;
	uint32_t in_force;
	int err = ethtool_get(iface, value, &block, &in_force);

	if (err || in_force == number)
		return err;
	block.cmd = value->set;
	memcpy((char *)&block + value->offset, &number, sizeof(number));
	err = ethtool_call(iface, &block);
	if (!err)
		err = ethtool_get(iface, value, &block, &in_force);
	return err ? err : in_force == number ? 0 : -EIO;
}

int setting_read(const struct setting *setting, const struct knob *iface, char *value,
		 size_t value_len)
{
	union ethtool_block block;
	char text[4096];
	uint32_t number;
	int err;

	if (setting->kind == SETTING_SYSFS) {
		err = knob_read_attr(iface, setting->name, text, sizeof(text));
		if (!err && snprintf(value, value_len, "%s", text) >= (int)value_len)
			err = -EOVERFLOW;
		return err;
	}
	err = ethtool_get(iface, find_place(setting->name), &block, &number);
	if (!err)
		snprintf(value, value_len, "%u", number);
	return err;
}

bool setting_may_write(const struct setting *setting, const struct knob *iface)
{
	char path[384];

	if (setting->kind != SETTING_SYSFS)
		return !geteuid();
	snprintf(path, sizeof(path), "%s/%s", iface->dir, setting->name);
	return !access(path, W_OK);
}

static int sysfs_write(const struct setting *setting, const struct knob *iface, const char *value)
{
	char in_force[SETTING_VALUE_MAX];
	int err = knob_write_attr(iface, setting->name, value);

	if (!err)
		err = knob_read_attr(iface, setting->name, in_force, sizeof(in_force));
	return err ? err : strcmp(in_force, value) ? -EIO : 0;
}

int setting_write(const struct setting *setting, const struct knob *iface, const char *value)
{
	unsigned long number;
	char *end;

	if (setting->kind == SETTING_SYSFS)
		return sysfs_write(setting, iface, value);
	errno = 0;
	number = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || number > UINT32_MAX)
		return -EINVAL;
	return ethtool_set(iface, find_place(setting->name), (uint32_t)number);
}
