// SPDX-License-Identifier: GPL-2.0-only
/* Address handles, and the check that none goes while a work request names it. */
#include "ah.h"

#include "device.h"
#include "port.h"
#include "qp.h"

#include <rdma/ib_cache.h>

#define SOFTIB_GRH_NEXT_HEADER 0x1b
#define SOFTIB_GRH_VERSION 6

static int softib_av_set_grh(struct softib_port *port, struct softib_av *av,
			     const struct rdma_ah_attr *attr)
{
	const struct ib_global_route *route = rdma_ah_read_grh(attr);
	struct ib_grh *grh = &av->grh;

	grh->version_tclass_flow =
		cpu_to_be32(SOFTIB_GRH_VERSION << 28 | route->traffic_class << 20 |
			    (route->flow_label & 0xfffff));
	grh->next_hdr = SOFTIB_GRH_NEXT_HEADER;
	grh->hop_limit = route->hop_limit;
	grh->dgid = route->dgid;
	av->has_grh = true;
	return softib_query_gid(&port->dev->ibdev, port->num, route->sgid_index, &grh->sgid);
}

/* Fills an address vector. 0, or -EINVAL for a GID index that is not there. Any context. */
int softib_av_set(struct softib_av *av, struct softib_port *port, const struct rdma_ah_attr *attr)
{
	av->dlid = rdma_ah_get_dlid(attr);
	av->sl = rdma_ah_get_sl(attr);
	av->path_bits = rdma_ah_get_path_bits(attr);
	av->has_grh = false;
	if (rdma_ah_get_ah_flags(attr) & IB_AH_GRH)
		return softib_av_set_grh(port, av, attr);
	return 0;
}

/* What softib_av_set() was given, without the GRH. */
void softib_av_query(const struct softib_av *av, u32 port_num, struct rdma_ah_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_port_num(attr, port_num);
	rdma_ah_set_dlid(attr, av->dlid);
	rdma_ah_set_sl(attr, av->sl);
	rdma_ah_set_path_bits(attr, av->path_bits);
}

/* ib_device_ops.create_ah: 0, or -EINVAL for a port or GID index that is not there. Any context. */
int softib_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	struct softib_port *port;

	port = softib_port_get(softib_dev(ibah->device), rdma_ah_get_port_num(init->ah_attr));
	if (!port)
		return -EINVAL;
	softib_ah(ibah)->port_num = port->num;
	return softib_av_set(&softib_ah(ibah)->av, port, init->ah_attr);
}

/* ib_device_ops.query_ah */
int softib_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	softib_av_query(&softib_ah(ibah)->av, softib_ah(ibah)->port_num, attr);
	return 0;
}

/*
 * ib_device_ops.destroy_ah: the slots hold copies of the address vector, so softib itself survives;
 * hardware may not. Counted as ah_destroyed_in_use, for tests to see. Any context.
 */
int softib_destroy_ah(struct ib_ah *ibah, u32 flags)
{
	softib_qps_check_ah(softib_dev(ibah->device), softib_ah(ibah));
	return 0;
}
