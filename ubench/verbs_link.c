// SPDX-License-Identifier: GPL-2.0-or-later
/* One side's device, queue pairs and paths, made in any of the ways that the two sides can find each other. */
#include "verbs_link.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "cmd.h"
#include "verbs_error.h"

#define JOIN_NS (10 * NSEC_PER_SEC)
#define HOP_LIMIT 64

/* The endpoint on the device of the first id, or the check that a further id is on it too. */
static int take_id(struct verbs_link *link, uint32_t index, struct result_error *err)
{
	struct rdma_cm_id *id = link->cm.ids[index];
	int ret;

	if (!index) {
		ret = verbs_device_adopt(&link->dev, id->verbs, id->port_num, err);
		if (!ret)
			ret = verbs_endpoint_init(&link->ep, &link->dev, &link->config, err);
		if (ret)
			return ret;
	} else if (id->verbs != link->dev.ctx) {
		return verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm",
				  "the paths of the queue pairs lead over different devices; name one (-d)");
	}
	return verbs_endpoint_add_qp(&link->ep, id, 0, err);
}

static int open_device(struct verbs_link *link, const struct addr *near, uint32_t qkey,
		       struct result_error *err)
{
	uint32_t i;
	int ret;

	ret = verbs_device_open(&link->dev, &link->choice, (const struct sockaddr *)&near->ss, err);
	if (!ret)
		ret = verbs_endpoint_init(&link->ep, &link->dev, &link->config, err);
	for (i = 0; i < link->config.n_qps && !ret; i++)
		ret = verbs_endpoint_add_qp(&link->ep, NULL, qkey, err);
	return ret;
}

static int listen_on_device(struct verbs_link *link, const struct addr *local,
			    struct verbs_setup *setup, struct result_error *err)
{
	uint32_t i;
	int ret;

	if (getrandom(&setup->qkey, sizeof(setup->qkey), 0) < 0)
		return verbs_fail_errno(err, "random numbers", errno);
	/* With the top bit set it would be a privileged one, which a sender cannot choose. */
	setup->qkey &= INT32_MAX;
	ret = open_device(link, local, setup->qkey, err);
	if (ret)
		return ret;
	setup->n_qps = link->config.n_qps;
	for (i = 0; i < setup->n_qps; i++)
		setup->qpns[i] = link->ep.qps[i].qp->qp_num;
	setup->lid = link->dev.port_attr.lid;
	setup->gid = link->dev.gid;
	setup->is_ethernet = link->dev.port_attr.link_layer == IBV_LINK_LAYER_ETHERNET;
	setup->mtu_bytes = verbs_device_mtu_bytes(&link->dev);
	return 0;
}

/* One queue pair in the group. is_sender: for each flow one, with its path. */
static int join_group(struct verbs_link *link, const struct addr *local, const struct addr *group,
		      bool is_sender, struct result_error *err)
{
	struct verbs_path path;
	uint32_t i;
	int ret;

	for (i = 0; i < link->config.n_qps; i++) {
		ret = verbs_cm_bind(&link->cm, local, err);
		if (!ret)
			ret = take_id(link, i, err);
		if (!ret)
			ret = verbs_cm_join(&link->cm, i, group, is_sender, link->ep.pd,
					    clock_now_ns() + JOIN_NS, &path, err);
		if (ret)
			return ret;
		link->paths[i] = path;
	}
	return 0;
}

int verbs_link_listen(struct verbs_link *link, const struct addr *local, const struct addr *group,
		      struct verbs_setup *setup, struct result_error *err)
{
	int ret;

	memset(setup, 0, sizeof(*setup));
	if (link->way == VERBS_BY_DEVICE)
		return listen_on_device(link, local, setup, err);
	ret = verbs_cm_open(&link->cm, err);
	if (ret)
		return ret;
	if (link->way == VERBS_BY_CM)
		return verbs_cm_listen(&link->cm, local, &setup->cm_port, err);
	/* Each member gets every packet: more than one would only be duplicates. */
	link->config.n_qps = 1;
	return join_group(link, local, group, false, err);
}

int verbs_link_accept(struct verbs_link *link, int64_t deadline_ns, struct result_error *err)
{
	uint32_t i;
	int ret = 0;

	if (link->way != VERBS_BY_CM)
		return 0;
	for (i = 0; i < link->config.n_qps && !ret; i++) {
		ret = verbs_cm_next_request(&link->cm, link->nonce, deadline_ns, err);
		if (!ret)
			ret = take_id(link, i, err);
		if (!ret)
			ret = verbs_cm_accept(&link->cm, i, err);
	}
	return ret;
}

static int connect_by_cm(struct verbs_link *link, const struct addr *source, struct addr peer,
			 const struct verbs_setup *setup, int64_t deadline_ns,
			 struct result_error *err)
{
	uint32_t i;
	int ret = 0;

	addr_set_port(&peer, setup->cm_port);
	for (i = 0; i < link->config.n_qps && !ret; i++) {
		ret = verbs_cm_resolve(&link->cm, source, &peer, deadline_ns, err);
		if (!ret)
			ret = take_id(link, i, err);
		if (!ret)
			ret = verbs_cm_connect(&link->cm, i, link->nonce, link->ep.pd, deadline_ns,
					       &link->paths[i], err);
	}
	return ret;
}

static int check_peer(const struct verbs_link *link, const struct verbs_setup *setup,
		      struct result_error *err)
{
	if (setup->is_ethernet != (link->dev.port_attr.link_layer == IBV_LINK_LAYER_ETHERNET))
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "%s is %s, the peer's device is %s; choose other ones (-d, --peer-device)",
				  verbs_device_name(&link->dev),
				  verbs_device_link_layer(&link->dev),
				  setup->is_ethernet ? "Ethernet" : "InfiniBand");
	if (link->config.buffer_bytes > setup->mtu_bytes)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "a message of %u bytes exceeds the path MTU of the peer's port: take at most -s %u",
				  link->config.buffer_bytes, setup->mtu_bytes);
	if (setup->n_qps != link->config.n_qps)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "control",
				  "the server made %u queue pairs instead of %u", setup->n_qps,
				  link->config.n_qps);
	return 0;
}

static int connect_by_device(struct verbs_link *link, const struct addr *source,
			     const struct verbs_setup *setup, struct result_error *err)
{
	struct ibv_ah_attr attr = { .dlid = setup->lid };
	uint32_t i;
	int ret;

	ret = open_device(link, source, setup->qkey, err);
	if (!ret)
		ret = check_peer(link, setup, err);
	if (ret)
		return ret;
	attr.port_num = link->dev.port;
	/* Within an InfiniBand subnet the LID is the whole address, unless a GID was asked for. */
	attr.is_global = setup->is_ethernet || link->choice.gid_index != VERBS_GID_INDEX_ANY;
	attr.grh.dgid = setup->gid;
	attr.grh.sgid_index = link->dev.gid_index;
	attr.grh.hop_limit = HOP_LIMIT;
	link->ah = ibv_create_ah(link->ep.pd, &attr);
	if (!link->ah)
		return verbs_fail_errno(err, "address handle of the peer", errno);
	for (i = 0; i < setup->n_qps; i++)
		link->paths[i] = (struct verbs_path){ link->ah, setup->qpns[i], setup->qkey };
	return 0;
}

int verbs_link_connect(struct verbs_link *link, const struct addr *source, const struct addr *peer,
		       const struct verbs_setup *setup, int64_t deadline_ns,
		       struct result_error *err)
{
	int ret;

	if (link->way == VERBS_BY_DEVICE)
		return connect_by_device(link, source, setup, err);
	ret = verbs_cm_open(&link->cm, err);
	if (ret)
		return ret;
	if (link->way == VERBS_BY_CM)
		return connect_by_cm(link, source, *peer, setup, deadline_ns, err);
	return join_group(link, source, peer, true, err);
}

void verbs_link_close(struct verbs_link *link)
{
	if (link->ah)
		ibv_destroy_ah(link->ah);
	link->ah = NULL;
	verbs_cm_free_paths(&link->cm);
	verbs_endpoint_free(&link->ep);
	verbs_cm_close(&link->cm);
	verbs_device_close(&link->dev);
}
