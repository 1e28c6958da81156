// SPDX-License-Identifier: GPL-2.0-or-later
/* The offloads of an interface, as `ethtool -k` lists them. */
#include "offloads.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#define MAX_FEATURES 512

static int call(int fd, const char *interface, void *command)
{
	struct ifreq request = { .ifr_data = command };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
	return ioctl(fd, SIOCETHTOOL, &request);
}

/* How many features the kernel knows; 0 when it does not say. */
static uint32_t count(int fd, const char *interface)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t n;
	} set = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_FEATURES } };

	if (call(fd, interface, &set) || !set.info.sset_mask || set.n > MAX_FEATURES)
		return 0;
	return set.n;
}

static json_t *list(int fd, const char *interface, uint32_t n)
{
	const uint32_t blocks = (n + 31) / 32;
	struct ethtool_gstrings *names = calloc(1, sizeof(*names) + (size_t)n * ETH_GSTRING_LEN);
	struct ethtool_gfeatures *on = calloc(1, sizeof(*on) + blocks * sizeof(on->features[0]));
	json_t *array = NULL;
	uint32_t i;

	if (!names || !on)
		goto free_both;
	*names = (struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_FEATURES, n };
	*on = (struct ethtool_gfeatures){ ETHTOOL_GFEATURES, blocks };
	if (call(fd, interface, names) || call(fd, interface, on))
		goto free_both;
	array = json_array();
	for (i = 0; i < n; i++) {
		const char *name = (const char *)names->data + (size_t)i * ETH_GSTRING_LEN;

		if (on->features[i / 32].active >> (i % 32) & 1)
			json_array_append_new(array,
					      json_stringn(name, strnlen(name, ETH_GSTRING_LEN)));
	}
free_both:
	free(names);
	free(on);
	return array;
}

json_t *offloads_collect(const char *interface)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	json_t *array = NULL;
	uint32_t n;

	if (fd < 0)
		return json_null();
	n = count(fd, interface);
	if (n)
		array = list(fd, interface, n);
	close(fd);
	return array ? array : json_null();
}
