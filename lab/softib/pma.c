// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance management agent: PortCounters and PortCountersExtended (IBA volume 1, section
 * 16.1.3).
 */
#include "mad.h"

#include "port.h"

#include <rdma/ib_pma.h>

#define SOFTIB_PMA_CLASS_VERSION 1
#define SOFTIB_OCTETS_PER_WORD 4

/* A link counter since its last reset. Octet counters are in octets. Caller holds the port lock. */
static u64 softib_pma_value(const struct softib_port *port, enum softib_link_counter which)
{
	return softib_link_counter_read(port->stats, which) - port->link_base[which];
}

static void softib_pma_reset(struct softib_port *port, enum softib_link_counter which)
{
	port->link_base[which] = softib_link_counter_read(port->stats, which);
}

/* PortCounters stop at their maximum instead of wrapping (IBA 16.1.3.5). */
static __be32 softib_pma_sticky32(u64 value)
{
	return cpu_to_be32(min_t(u64, value, U32_MAX));
}

static __be16 softib_pma_sticky16(u64 value)
{
	return cpu_to_be16(min_t(u64, value, U16_MAX));
}

static void softib_pma_get_counters(const struct softib_port *port, struct ib_pma_portcounters *out)
{
	memset(out, 0, sizeof(*out));
	out->port_select = port->num;
	out->link_downed_counter = min_t(u64, port->link_downed, U8_MAX);
	out->port_xmit_discards = softib_pma_sticky16(softib_pma_value(port, SOFTIB_XMIT_DISCARDS));
	out->port_rcv_constraint_errors =
		min_t(u64, softib_pma_value(port, SOFTIB_RCV_CONSTRAINT), U8_MAX);
	out->vl15_dropped = softib_pma_sticky16(softib_pma_value(port, SOFTIB_VL15_DROPPED));
	out->port_xmit_data = softib_pma_sticky32(softib_pma_value(port, SOFTIB_XMIT_OCTETS) /
						  SOFTIB_OCTETS_PER_WORD);
	out->port_rcv_data = softib_pma_sticky32(softib_pma_value(port, SOFTIB_RCV_OCTETS) /
						 SOFTIB_OCTETS_PER_WORD);
	out->port_xmit_packets = softib_pma_sticky32(softib_pma_value(port, SOFTIB_XMIT_UNICAST) +
						     softib_pma_value(port, SOFTIB_XMIT_MULTICAST));
	out->port_rcv_packets = softib_pma_sticky32(softib_pma_value(port, SOFTIB_RCV_UNICAST) +
						    softib_pma_value(port, SOFTIB_RCV_MULTICAST));
}

/*
 * A Set resets the counters its CounterSelect names: softib counts what nobody sets to a value of
 * its own.
 */
static void softib_pma_set_counters(struct softib_port *port, __be16 select)
{
	if (select & IB_PMA_SEL_LINK_DOWNED)
		port->link_downed = 0;
	if (select & IB_PMA_SEL_PORT_XMIT_DISCARDS)
		softib_pma_reset(port, SOFTIB_XMIT_DISCARDS);
	if (select & IB_PMA_SEL_PORT_VL15_DROPPED)
		softib_pma_reset(port, SOFTIB_VL15_DROPPED);
	if (select & IB_PMA_SEL_PORT_XMIT_DATA)
		softib_pma_reset(port, SOFTIB_XMIT_OCTETS);
	if (select & IB_PMA_SEL_PORT_RCV_DATA)
		softib_pma_reset(port, SOFTIB_RCV_OCTETS);
	if (select & IB_PMA_SEL_PORT_XMIT_PACKETS) {
		softib_pma_reset(port, SOFTIB_XMIT_UNICAST);
		softib_pma_reset(port, SOFTIB_XMIT_MULTICAST);
	}
	if (select & IB_PMA_SEL_PORT_RCV_PACKETS) {
		softib_pma_reset(port, SOFTIB_RCV_UNICAST);
		softib_pma_reset(port, SOFTIB_RCV_MULTICAST);
	}
}

static void softib_pma_get_extended(const struct softib_port *port,
				    struct ib_pma_portcounters_ext *out)
{
	u64 xmit_unicast = softib_pma_value(port, SOFTIB_XMIT_UNICAST);
	u64 xmit_multicast = softib_pma_value(port, SOFTIB_XMIT_MULTICAST);
	u64 rcv_unicast = softib_pma_value(port, SOFTIB_RCV_UNICAST);
	u64 rcv_multicast = softib_pma_value(port, SOFTIB_RCV_MULTICAST);

	memset(out, 0, sizeof(*out));
	out->port_select = port->num;
	out->port_xmit_data =
		cpu_to_be64(softib_pma_value(port, SOFTIB_XMIT_OCTETS) / SOFTIB_OCTETS_PER_WORD);
	out->port_rcv_data =
		cpu_to_be64(softib_pma_value(port, SOFTIB_RCV_OCTETS) / SOFTIB_OCTETS_PER_WORD);
	out->port_xmit_packets = cpu_to_be64(xmit_unicast + xmit_multicast);
	out->port_rcv_packets = cpu_to_be64(rcv_unicast + rcv_multicast);
	out->port_unicast_xmit_packets = cpu_to_be64(xmit_unicast);
	out->port_unicast_rcv_packets = cpu_to_be64(rcv_unicast);
	out->port_multicast_xmit_packets = cpu_to_be64(xmit_multicast);
	out->port_multicast_rcv_packets = cpu_to_be64(rcv_multicast);
}

static void softib_pma_set_extended(struct softib_port *port, __be16 select)
{
	if (select & IB_PMA_SELX_PORT_XMIT_DATA)
		softib_pma_reset(port, SOFTIB_XMIT_OCTETS);
	if (select & IB_PMA_SELX_PORT_RCV_DATA)
		softib_pma_reset(port, SOFTIB_RCV_OCTETS);
	if (select & (IB_PMA_SELX_PORT_XMIT_PACKETS | IB_PMA_SELX_PORT_UNI_XMIT_PACKETS))
		softib_pma_reset(port, SOFTIB_XMIT_UNICAST);
	if (select & (IB_PMA_SELX_PORT_XMIT_PACKETS | IB_PMA_SELX_PORT_MULTI_XMIT_PACKETS))
		softib_pma_reset(port, SOFTIB_XMIT_MULTICAST);
	if (select & (IB_PMA_SELX_PORT_RCV_PACKETS | IB_PMA_SELX_PORT_UNI_RCV_PACKETS))
		softib_pma_reset(port, SOFTIB_RCV_UNICAST);
	if (select & (IB_PMA_SELX_PORT_RCV_PACKETS | IB_PMA_SELX_PORT_MULTI_RCV_PACKETS))
		softib_pma_reset(port, SOFTIB_RCV_MULTICAST);
}

static __be16 softib_pma_class_info(struct ib_pma_mad *mad)
{
	struct ib_class_port_info *info = (struct ib_class_port_info *)mad->data;

	if (mad->mad_hdr.method != IB_MGMT_METHOD_GET)
		return SOFTIB_MAD_BAD_METHOD;
	if (mad->mad_hdr.attr_mod)
		return SOFTIB_MAD_BAD_VALUE;
	memset(mad->data, 0, sizeof(mad->data));
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = SOFTIB_PMA_CLASS_VERSION;
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
	info->cap_mask2_resp_time = cpu_to_be32(18);
	return 0;
}

/* Both counter attributes start with the same fields. */
static __be16 softib_pma_counters(struct softib_port *port, struct ib_pma_mad *mad, bool extended)
{
	const struct ib_pma_portcounters *request = (void *)mad->data;
	__be16 select = request->counter_select;
	unsigned long flags;

	if (mad->mad_hdr.attr_mod || request->port_select != port->num)
		return SOFTIB_MAD_BAD_VALUE;

	spin_lock_irqsave(&port->lock, flags);
	if (mad->mad_hdr.method == IB_MGMT_METHOD_SET) {
		if (extended)
			softib_pma_set_extended(port, select);
		else
			softib_pma_set_counters(port, select);
	}
	if (extended)
		softib_pma_get_extended(port, (struct ib_pma_portcounters_ext *)mad->data);
	else
		softib_pma_get_counters(port, (struct ib_pma_portcounters *)mad->data);
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/**
 * softib_pma() - answer a performance management Get or Set
 * @port: the port that received it
 * @mad:  request in, answer out
 *
 * Any context, no lock held. Return: what ib_device_ops.process_mad returns.
 */
int softib_pma(struct softib_port *port, struct ib_pma_mad *mad)
{
	struct ib_mad_hdr *hdr = &mad->mad_hdr;

	if (hdr->class_version != SOFTIB_PMA_CLASS_VERSION)
		hdr->status = SOFTIB_MAD_BAD_VERSION;
	else if (hdr->attr_id == IB_PMA_CLASS_PORT_INFO)
		hdr->status = softib_pma_class_info(mad);
	else if (hdr->attr_id == IB_PMA_PORT_COUNTERS)
		hdr->status = softib_pma_counters(port, mad, false);
	else if (hdr->attr_id == IB_PMA_PORT_COUNTERS_EXT)
		hdr->status = softib_pma_counters(port, mad, true);
	else
		hdr->status = SOFTIB_MAD_BAD_ATTRIBUTE;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
