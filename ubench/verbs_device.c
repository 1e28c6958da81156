// SPDX-License-Identifier: GPL-2.0-or-later
/* One port of an RDMA device: found by name or by address, checked, described. */
#include "verbs_device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "affinity.h"
#include "cmd.h"
#include "verbs_error.h"

const char *verbs_device_name(const struct verbs_device *d)
{
	return ibv_get_device_name(d->ctx->device);
}

const char *verbs_device_link_layer(const struct verbs_device *d)
{
	return d->port_attr.link_layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet" : "InfiniBand";
}

uint32_t verbs_device_mtu_bytes(const struct verbs_device *d)
{
	/* enum ibv_mtu counts powers of two from 256, which is 1. */
	return 128u << d->port_attr.active_mtu;
}

int verbs_device_interface(const struct verbs_device *d, char *name)
{
	char path[192];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/gid_attrs/ndevs/%u",
		 verbs_device_name(d), d->port, d->gid_index);
	f = fopen(path, "re");
	if (!f)
		return -ENOENT;
	n = fscanf(f, "%15s", name);
	fclose(f);
	return n == 1 ? 0 : -ENOENT;
}

/* An IPv4 address as the GID that RoCE gives it; false for other families. */
static bool gid_of_address(const struct sockaddr *a, union ibv_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	if (a->sa_family == AF_INET) {
		gid->raw[10] = gid->raw[11] = 0xff;
		memcpy(gid->raw + 12, &((const struct sockaddr_in *)a)->sin_addr, 4);
		return true;
	}
	if (a->sa_family == AF_INET6) {
		memcpy(gid->raw, &((const struct sockaddr_in6 *)a)->sin6_addr, 16);
		return true;
	}
	return false;
}

/* Index of gid in the table of the port, or -1. */
static int find_gid(struct verbs_device *d, const union ibv_gid *gid)
{
	union ibv_gid entry;
	int i, found = -1;

	/* RoCE v1 and v2 entries share the address; the later one, v2, can be routed. */
	for (i = 0; i < d->port_attr.gid_tbl_len && i < 256; i++)
		if (!ibv_query_gid(d->ctx, d->port, i, &entry) &&
		    !memcmp(entry.raw, gid->raw, sizeof(entry.raw)))
			found = i;
	return found;
}

/* On Ethernet the last entry with an IPv4 address, which is RoCE v2's; else the first. */
static int default_gid(struct verbs_device *d)
{
	static const uint8_t v4_prefix[12] = { [10] = 0xff, [11] = 0xff };
	union ibv_gid entry;
	int i, found = 0;

	if (d->port_attr.link_layer != IBV_LINK_LAYER_ETHERNET)
		return 0;
	for (i = 0; i < d->port_attr.gid_tbl_len && i < 256; i++)
		if (!ibv_query_gid(d->ctx, d->port, i, &entry) &&
		    !memcmp(entry.raw, v4_prefix, sizeof(v4_prefix)))
			found = i;
	return found;
}

static int query_port(struct verbs_device *d, unsigned int port)
{
	d->port = (uint8_t)port;
	return ibv_query_port(d->ctx, d->port, &d->port_attr);
}

/* Take the port asked for, or the first active one, else the first. 0 or -EIO. */
static int choose_port(struct verbs_device *d, unsigned int port, struct result_error *err)
{
	unsigned int i;

	if (port > d->attr.phys_port_cnt)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "device %s has no port %u: it has %u; choose another -i",
				  verbs_device_name(d), port, d->attr.phys_port_cnt);
	for (i = 1; !port && i <= d->attr.phys_port_cnt; i++)
		if (!query_port(d, i) && d->port_attr.state == IBV_PORT_ACTIVE)
			port = i;
	if (query_port(d, port ? port : 1))
		return verbs_fail_errno(err, "port state", errno);
	return 0;
}

static int check_port(const struct verbs_device *d, struct result_error *err)
{
	/* iWARP's link layer is Ethernet too, as the kernel tells it. */
	if (d->ctx->device->transport_type == IBV_TRANSPORT_IWARP)
		return verbs_fail(err, UBENCH_EXIT_UNSUPPORTED, "device",
				  "device %s is iWARP, which has no UD queue pairs; choose one of InfiniBand or RoCE (-d)",
				  verbs_device_name(d));
	if (d->port_attr.state == IBV_PORT_ACTIVE)
		return 0;
	return verbs_fail(err, UBENCH_EXIT_FAILED, "device", "port %u of %s is %s; %s", d->port,
			  verbs_device_name(d), ibv_port_state_str(d->port_attr.state),
			  d->port_attr.link_layer == IBV_LINK_LAYER_ETHERNET ?
			  "set its network interface up" : "is a subnet manager running? see ibstat");
}

static int choose_gid(struct verbs_device *d, int index, const struct sockaddr *near,
		      struct result_error *err)
{
	union ibv_gid wanted;

	if (index == VERBS_GID_INDEX_ANY && near && gid_of_address(near, &wanted))
		index = find_gid(d, &wanted);
	if (index == VERBS_GID_INDEX_ANY)
		index = default_gid(d);
	/* An entry of zeroes is an unused one. */
	if (index >= d->port_attr.gid_tbl_len || index > 255 ||
	    ibv_query_gid(d->ctx, d->port, index, &d->gid) ||
	    !memcmp(d->gid.raw, (uint8_t[16]){ 0 }, sizeof(d->gid.raw)))
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "port %u of %s has no GID of index %d; see rdma link, choose another -x",
				  d->port, verbs_device_name(d), index);
	d->gid_index = (uint8_t)index;
	return 0;
}

static int query(struct verbs_device *d, unsigned int port, int gid_index,
		 const struct sockaddr *near, struct result_error *err)
{
	int ret;

	if (ibv_query_device(d->ctx, &d->attr))
		return verbs_fail_errno(err, "device attributes", errno);
	d->numa_node = affinity_node_of("infiniband", verbs_device_name(d));
	ret = choose_port(d, port, err);
	if (!ret)
		ret = check_port(d, err);
	if (!ret)
		ret = choose_gid(d, gid_index, near, err);
	return ret;
}

/* Whether one of the first port's GIDs is this address. */
static bool has_address(struct verbs_device *d, const struct sockaddr *near)
{
	union ibv_gid gid;

	return near && gid_of_address(near, &gid) && !query_port(d, 1) && find_gid(d, &gid) >= 0;
}

static bool has_active_port(struct verbs_device *d)
{
	unsigned int i;

	if (ibv_query_device(d->ctx, &d->attr))
		return false;
	for (i = 1; i <= d->attr.phys_port_cnt; i++)
		if (!query_port(d, i) && d->port_attr.state == IBV_PORT_ACTIVE)
			return true;
	return false;
}

/* Open the device called name; without a name the best one in the order of the contract. */
static struct ibv_context *pick(struct ibv_device **list, const char *name,
				const struct sockaddr *near)
{
	struct ibv_context *best = NULL;
	int i, rank, best_rank = -1;

	for (i = 0; list[i]; i++) {
		struct verbs_device probe = { 0 };

		if (*name && strcmp(name, ibv_get_device_name(list[i])))
			continue;
		probe.ctx = ibv_open_device(list[i]);
		if (!probe.ctx)
			continue;
		rank = has_address(&probe, near) ? 2 : has_active_port(&probe);
		if (rank > best_rank) {
			if (best)
				ibv_close_device(best);
			best = probe.ctx;
			best_rank = rank;
		} else {
			ibv_close_device(probe.ctx);
		}
	}
	return best;
}

int verbs_device_open(struct verbs_device *d, const struct verbs_device_choice *choice,
		      const struct sockaddr *near, struct result_error *err)
{
	struct ibv_device **list;
	int n = 0, ret;

	memset(d, 0, sizeof(*d));
	list = ibv_get_device_list(&n);
	if (!list || !n) {
		if (list)
			ibv_free_device_list(list);
		return verbs_fail(err, UBENCH_EXIT_UNSUPPORTED, "device",
				  "no RDMA device here: load its driver and ib_uverbs (see rdma link)");
	}
	d->ctx = pick(list, choice->name, near);
	ibv_free_device_list(list);
	if (!d->ctx)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "device",
				  "cannot open RDMA device %s: see ibv_devices for their names and /dev/infiniband for permissions",
				  *choice->name ? choice->name : "(any)");
	d->owns_ctx = true;
	ret = query(d, choice->port, choice->gid_index, near, err);
	if (ret)
		verbs_device_close(d);
	return ret;
}

int verbs_device_adopt(struct verbs_device *d, struct ibv_context *ctx, uint8_t port,
		       struct result_error *err)
{
	memset(d, 0, sizeof(*d));
	d->ctx = ctx;
	return query(d, port, VERBS_GID_INDEX_ANY, NULL, err);
}

void verbs_device_close(struct verbs_device *d)
{
	if (d->ctx && d->owns_ctx)
		ibv_close_device(d->ctx);
	d->ctx = NULL;
}

json_t *verbs_device_describe(const struct verbs_device *d)
{
	char gid[INET6_ADDRSTRLEN] = "";

	inet_ntop(AF_INET6, d->gid.raw, gid, sizeof(gid));
	return json_pack("{s:s, s:i, s:i, s:s, s:s, s:i, s:s, s:i}",
			 "device", verbs_device_name(d), "port", d->port,
			 "gid_index", d->gid_index, "gid", gid,
			 "link_layer", verbs_device_link_layer(d),
			 "path_mtu_bytes", (int)verbs_device_mtu_bytes(d),
			 "firmware", d->attr.fw_ver, "numa_node", d->numa_node);
}
