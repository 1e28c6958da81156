/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of VERBS_UD: the global options, then perftest's letters after "--". */
#ifndef UBENCH_VERBS_OPTIONS_H
#define UBENCH_VERBS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "verbs_device.h"
#include "verbs_endpoint.h"
#include "verbs_protocol.h"

#define VERBS_MAX_RECEIVERS 16

struct verbs_options {
	struct options global;
	enum verbs_way way;
	struct verbs_device_choice device;
	struct verbs_device_choice peer_device;
	char source[80];		/* local address of the data; "": by routing */
	char peer_address[80];		/* of the data at the receiver; "": as the control connection */
	char group[80];
	unsigned int n_receivers;	/* of a group, global.host being the first */
	const char *receivers[VERBS_MAX_RECEIVERS];	/* into argv */
	uint32_t message_bytes;
	uint64_t count;			/* packets of each queue pair, or VERBS_PLAN_ENDLESS */
	uint32_t qps;
	uint32_t signal_rate;
	uint32_t post_list;
	uint32_t send_depth;
	uint32_t recv_depth;
	uint32_t inline_bytes;
	bool uses_events;
	uint16_t moderation_count;
	uint16_t moderation_usecs;
	enum verbs_post_api post_api;
	long numa_node;			/* of the sender; -1: the device's */
	bool has_qkey;
	uint32_t qkey;
	uint64_t fault_wr;
	uint32_t fault_cq;		/* entries of the send completion queue; 0: enough */
};

/* As options_parse(). */
int verbs_options_parse(struct verbs_options *opt, int argc, char **argv);

#endif
