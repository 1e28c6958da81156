// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance management agent: PortCounters and PortCountersExtended (IBA volume 1, section
 * 16.1.3).
 */
#include "mad.h"

#include "device.h"
#include "port.h"
#include "switch.h"

#include <rdma/ib_pma.h>

#define SOFTIB_PMA_CLASS_VERSION 1
#define SOFTIB_OCTETS_PER_WORD 4
#define SOFTIB_ALL_PORTS 0xff
#define SOFTIB_CLASS_CAP_ALL_PORTS cpu_to_be16(1 << 8)

/* CounterSelect bits (IBA 16.1.3.5) that ib_pma.h does not name */
#define SOFTIB_SEL_RCV_SWITCH_RELAY cpu_to_be16(1 << 5)
#define SOFTIB_SEL_RCV_CONSTRAINT cpu_to_be16(1 << 8)

/* The ports PortSelect names: @count of them from @first on */
struct softib_pma_ports {
	struct softib_port *first;
	u32 count;
	u8 select;
};

/* A link counter since its last reset, over the ports. Octet counters are in octets. */
static u64 softib_pma_value(const struct softib_pma_ports *ports, enum softib_link_counter which)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < ports->count; i++)
		sum += softib_link_counter_read(ports->first[i].stats, which) -
		       READ_ONCE(ports->first[i].link_base[which]);
	return sum;
}

static void softib_pma_reset(const struct softib_pma_ports *ports, enum softib_link_counter which)
{
	u32 i;

	for (i = 0; i < ports->count; i++)
		WRITE_ONCE(ports->first[i].link_base[which],
			   softib_link_counter_read(ports->first[i].stats, which));
}

/* PortCounters stop at their maximum instead of wrapping (IBA 16.1.3.5). */
static u8 softib_pma_sticky8(const struct softib_pma_ports *ports, enum softib_link_counter which)
{
	return min_t(u64, softib_pma_value(ports, which), U8_MAX);
}

static __be16 softib_pma_sticky16(const struct softib_pma_ports *ports,
				  enum softib_link_counter which)
{
	return cpu_to_be16(min_t(u64, softib_pma_value(ports, which), U16_MAX));
}

static __be32 softib_pma_sticky32(u64 value)
{
	return cpu_to_be32(min_t(u64, value, U32_MAX));
}

static __be32 softib_pma_words(const struct softib_pma_ports *ports, enum softib_link_counter which)
{
	return softib_pma_sticky32(softib_pma_value(ports, which) / SOFTIB_OCTETS_PER_WORD);
}

static __be32 softib_pma_packets(const struct softib_pma_ports *ports,
				 enum softib_link_counter unicast,
				 enum softib_link_counter multicast)
{
	return softib_pma_sticky32(softib_pma_value(ports, unicast) +
				   softib_pma_value(ports, multicast));
}

static void softib_pma_get_counters(const struct softib_pma_ports *ports,
				    struct ib_pma_portcounters *out)
{
	memset(out, 0, sizeof(*out));
	out->port_select = ports->select;
	out->link_downed_counter = softib_pma_sticky8(ports, SOFTIB_LINK_DOWNED);
	out->port_rcv_switch_relay_errors = softib_pma_sticky16(ports, SOFTIB_RCV_SWITCH_RELAY);
	out->port_xmit_discards = softib_pma_sticky16(ports, SOFTIB_XMIT_DISCARDS);
	out->port_rcv_constraint_errors = softib_pma_sticky8(ports, SOFTIB_RCV_CONSTRAINT);
	out->vl15_dropped = softib_pma_sticky16(ports, SOFTIB_VL15_DROPPED);
	out->port_xmit_data = softib_pma_words(ports, SOFTIB_XMIT_OCTETS);
	out->port_rcv_data = softib_pma_words(ports, SOFTIB_RCV_OCTETS);
	out->port_xmit_packets =
		softib_pma_packets(ports, SOFTIB_XMIT_UNICAST, SOFTIB_XMIT_MULTICAST);
	out->port_rcv_packets =
		softib_pma_packets(ports, SOFTIB_RCV_UNICAST, SOFTIB_RCV_MULTICAST);
}

/*
 * A Set resets the counters its CounterSelect names: softib counts what nobody sets to a value of
 * its own.
 */
static void softib_pma_set_counters(const struct softib_pma_ports *ports, __be16 select)
{
	if (select & IB_PMA_SEL_LINK_DOWNED)
		softib_pma_reset(ports, SOFTIB_LINK_DOWNED);
	if (select & SOFTIB_SEL_RCV_SWITCH_RELAY)
		softib_pma_reset(ports, SOFTIB_RCV_SWITCH_RELAY);
	if (select & SOFTIB_SEL_RCV_CONSTRAINT)
		softib_pma_reset(ports, SOFTIB_RCV_CONSTRAINT);
	if (select & IB_PMA_SEL_PORT_XMIT_DISCARDS)
		softib_pma_reset(ports, SOFTIB_XMIT_DISCARDS);
	if (select & IB_PMA_SEL_PORT_VL15_DROPPED)
		softib_pma_reset(ports, SOFTIB_VL15_DROPPED);
	if (select & IB_PMA_SEL_PORT_XMIT_DATA)
		softib_pma_reset(ports, SOFTIB_XMIT_OCTETS);
	if (select & IB_PMA_SEL_PORT_RCV_DATA)
		softib_pma_reset(ports, SOFTIB_RCV_OCTETS);
	if (select & IB_PMA_SEL_PORT_XMIT_PACKETS) {
		softib_pma_reset(ports, SOFTIB_XMIT_UNICAST);
		softib_pma_reset(ports, SOFTIB_XMIT_MULTICAST);
	}
	if (select & IB_PMA_SEL_PORT_RCV_PACKETS) {
		softib_pma_reset(ports, SOFTIB_RCV_UNICAST);
		softib_pma_reset(ports, SOFTIB_RCV_MULTICAST);
	}
}

static void softib_pma_get_extended(const struct softib_pma_ports *ports,
				    struct ib_pma_portcounters_ext *out)
{
	u64 xmit_unicast = softib_pma_value(ports, SOFTIB_XMIT_UNICAST);
	u64 xmit_multicast = softib_pma_value(ports, SOFTIB_XMIT_MULTICAST);
	u64 rcv_unicast = softib_pma_value(ports, SOFTIB_RCV_UNICAST);
	u64 rcv_multicast = softib_pma_value(ports, SOFTIB_RCV_MULTICAST);

	memset(out, 0, sizeof(*out));
	out->port_select = ports->select;
	out->port_xmit_data =
		cpu_to_be64(softib_pma_value(ports, SOFTIB_XMIT_OCTETS) / SOFTIB_OCTETS_PER_WORD);
	out->port_rcv_data =
		cpu_to_be64(softib_pma_value(ports, SOFTIB_RCV_OCTETS) / SOFTIB_OCTETS_PER_WORD);
	out->port_xmit_packets = cpu_to_be64(xmit_unicast + xmit_multicast);
	out->port_rcv_packets = cpu_to_be64(rcv_unicast + rcv_multicast);
	out->port_unicast_xmit_packets = cpu_to_be64(xmit_unicast);
	out->port_unicast_rcv_packets = cpu_to_be64(rcv_unicast);
	out->port_multicast_xmit_packets = cpu_to_be64(xmit_multicast);
	out->port_multicast_rcv_packets = cpu_to_be64(rcv_multicast);
}

static void softib_pma_set_extended(const struct softib_pma_ports *ports, __be16 select)
{
	if (select & IB_PMA_SELX_PORT_XMIT_DATA)
		softib_pma_reset(ports, SOFTIB_XMIT_OCTETS);
	if (select & IB_PMA_SELX_PORT_RCV_DATA)
		softib_pma_reset(ports, SOFTIB_RCV_OCTETS);
	if (select & (IB_PMA_SELX_PORT_XMIT_PACKETS | IB_PMA_SELX_PORT_UNI_XMIT_PACKETS))
		softib_pma_reset(ports, SOFTIB_XMIT_UNICAST);
	if (select & (IB_PMA_SELX_PORT_XMIT_PACKETS | IB_PMA_SELX_PORT_MULTI_XMIT_PACKETS))
		softib_pma_reset(ports, SOFTIB_XMIT_MULTICAST);
	if (select & (IB_PMA_SELX_PORT_RCV_PACKETS | IB_PMA_SELX_PORT_UNI_RCV_PACKETS))
		softib_pma_reset(ports, SOFTIB_RCV_UNICAST);
	if (select & (IB_PMA_SELX_PORT_RCV_PACKETS | IB_PMA_SELX_PORT_MULTI_RCV_PACKETS))
		softib_pma_reset(ports, SOFTIB_RCV_MULTICAST);
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
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH | SOFTIB_CLASS_CAP_ALL_PORTS;
	info->cap_mask2_resp_time = cpu_to_be32(18);
	return 0;
}

/* At a switch any port can be asked for, at an HCA the one asked, 0 too, or all. False: none. */
static bool softib_pma_select(struct softib_port *in, u8 select, struct softib_pma_ports *ports)
{
	bool all = select == SOFTIB_ALL_PORTS;

	ports->select = select;
	ports->count = 1;
	if (in->sw && all) {
		ports->first = &in->sw->ports[1];
		ports->count = in->sw->num_ports;
	} else if (in->sw) {
		ports->first = softib_switch_port(in->sw, select);
	} else if (all) {
		ports->first = in->dev->ports;
		ports->count = in->dev->ibdev.phys_port_cnt;
	} else {
		ports->first = select == 0 || select == in->num ? in : NULL;
	}
	return ports->first;
}

/* Both counter attributes start with the same fields. */
static __be16 softib_pma_counters(struct softib_port *in, struct ib_pma_mad *mad, bool extended)
{
	const struct ib_pma_portcounters *request = (void *)mad->data;
	__be16 select = request->counter_select;
	struct softib_pma_ports ports;

	if (mad->mad_hdr.attr_mod || !softib_pma_select(in, request->port_select, &ports))
		return SOFTIB_MAD_BAD_VALUE;

	if (mad->mad_hdr.method == IB_MGMT_METHOD_SET) {
		if (extended)
			softib_pma_set_extended(&ports, select);
		else
			softib_pma_set_counters(&ports, select);
	}
	if (extended)
		softib_pma_get_extended(&ports, (struct ib_pma_portcounters_ext *)mad->data);
	else
		softib_pma_get_counters(&ports, (struct ib_pma_portcounters *)mad->data);
	return 0;
}

/**
 * softib_pma() - answer a performance management Get or Set
 * @port: the port that received it, an HCA's or a switch's
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
