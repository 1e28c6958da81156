// SPDX-License-Identifier: GPL-2.0-or-later
/* The queueing disciplines of an interface, by netlink: which they are, and what they have dropped. */
#include "qdisc.h"

#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include <libmnl/libmnl.h>

/* A multi-queue device has one for each of its queues. */
#define MAX_QDISCS 1024

struct entry {
	uint32_t handle, parent, drops;
	char kind[QDISC_KIND_BYTES];
};

struct listing {
	int ifindex;
	unsigned int n;
	struct entry entries[MAX_QDISCS];
};

static uint32_t drops_of(const struct nlattr *stats)
{
	const struct nlattr *attr;
	struct gnet_stats_queue queue;

	mnl_attr_for_each_nested(attr, stats) {
		if (mnl_attr_get_type(attr) != TCA_STATS_QUEUE ||
		    mnl_attr_get_payload_len(attr) < sizeof(queue))
			continue;
		memcpy(&queue, mnl_attr_get_payload(attr), sizeof(queue));
		return queue.drops;
	}
	return 0;
}

/* One qdisc of the dump, which covers all interfaces. */
static int take(const struct nlmsghdr *header, void *context)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(header);
	struct listing *l = context;
	const struct nlattr *attr;
	struct entry *e;

	if (header->nlmsg_type != RTM_NEWQDISC || tcm->tcm_ifindex != l->ifindex ||
	    tcm->tcm_parent == TC_H_INGRESS || l->n == MAX_QDISCS)
		return MNL_CB_OK;
	e = &l->entries[l->n++];
	*e = (struct entry){ .handle = tcm->tcm_handle, .parent = tcm->tcm_parent };
	mnl_attr_for_each(attr, header, sizeof(*tcm)) {
		if (mnl_attr_get_type(attr) == TCA_KIND)
			snprintf(e->kind, sizeof(e->kind), "%s", mnl_attr_get_str(attr));
		else if (mnl_attr_get_type(attr) == TCA_STATS2)
			e->drops = drops_of(attr);
	}
	return MNL_CB_OK;
}

static int dump(struct mnl_socket *socket, struct listing *l)
{
	char buffer[32768];	/* what the kernel fills of a dump at most */
	struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
	struct tcmsg *tcm;
	ssize_t n;
	int ret;

	request->nlmsg_type = RTM_GETQDISC;
	request->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	request->nlmsg_seq = 1;
	tcm = mnl_nlmsg_put_extra_header(request, sizeof(*tcm));
	tcm->tcm_family = AF_UNSPEC;
	if (mnl_socket_sendto(socket, request, request->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
		ret = n < 0 ? -1 : mnl_cb_run(buffer, (size_t)n, 1, mnl_socket_get_portid(socket),
					      take, l);
	} while (ret > MNL_CB_STOP);
	return ret < 0 ? -errno : 0;
}

static int is_leaf(const struct listing *l, const struct entry *e)
{
	unsigned int i;

	for (i = 0; e->handle && i < l->n; i++)
		if (l->entries[i].parent != TC_H_ROOT &&
		    TC_H_MAJ(l->entries[i].parent) == TC_H_MAJ(e->handle))
			return 0;
	return 1;
}

static void summarize(const struct listing *l, struct qdisc *q)
{
	uint32_t at_root = 0, at_leaves = 0;
	unsigned int i;

	for (i = 0; i < l->n; i++) {
		const struct entry *e = &l->entries[i];

		if (e->parent == TC_H_ROOT) {
			memcpy(q->root, e->kind, sizeof(q->root));
			at_root = e->drops;
		} else if (is_leaf(l, e)) {
			at_leaves += e->drops;
		}
	}
	q->drops = at_root > at_leaves ? at_root : at_leaves;
}

int qdisc_read(const char *interface, struct qdisc *q)
{
	static _Thread_local struct listing l;
	struct mnl_socket *socket;
	int ret;

	memset(q, 0, sizeof(*q));
	l = (struct listing){ .ifindex = (int)if_nametoindex(interface) };
	if (!l.ifindex)
		return -ENODEV;
	socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (!socket)
		return -errno;
	ret = mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) ? -errno : dump(socket, &l);
	mnl_socket_close(socket);
	if (!ret)
		summarize(&l, q);
	return ret;
}
