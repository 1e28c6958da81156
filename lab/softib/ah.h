/* SPDX-License-Identifier: GPL-2.0-only */
/* Address handles: where a datagram goes, made ready to be copied into a work queue slot. */
#ifndef SOFTIB_AH_H
#define SOFTIB_AH_H

#include <rdma/ib_verbs.h>

struct softib_port;

/**
 * struct softib_av - address vector
 * @dlid:      destination LID
 * @path_bits: or'ed into the port's base LID to make the source LID
 * @sl:        service level
 * @has_grh:   @grh goes in front of the payload
 * @grh:       ready but for the payload length
 */
struct softib_av {
	u16 dlid;
	u8 path_bits;
	u8 sl;
	bool has_grh;
	struct ib_grh grh;
};

struct softib_ah {
	struct ib_ah ibah;
	u32 port_num;
	struct softib_av av;
};

static inline struct softib_ah *softib_ah(struct ib_ah *ibah)
{
	return container_of(ibah, struct softib_ah, ibah);
}

int softib_av_set(struct softib_av *av, struct softib_port *port, const struct rdma_ah_attr *attr);
void softib_av_query(const struct softib_av *av, u32 port_num, struct rdma_ah_attr *attr);
int softib_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int softib_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);
int softib_destroy_ah(struct ib_ah *ibah, u32 flags);

#endif
