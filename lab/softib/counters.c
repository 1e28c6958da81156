// SPDX-License-Identifier: GPL-2.0-only
/* Sums the per-CPU counters for hw_counters in sysfs and for the PMA. */
#include "counters.h"

#include "device.h"
#include "port.h"

static const struct rdma_stat_desc softib_counter_descs[] = {
	[SOFTIB_TX_WRS].name = "tx_wrs",
	[SOFTIB_TX_DOORBELLS].name = "tx_doorbells",
	[SOFTIB_TX_CQES].name = "tx_cqes",
	[SOFTIB_TX_EVENTS].name = "tx_events",
	[SOFTIB_TX_ERRORS].name = "tx_errors",
	[SOFTIB_TX_DISCARDED].name = "tx_discarded",
	[SOFTIB_TX_DELIVERED].name = "tx_delivered",
	[SOFTIB_RC_WRS].name = "rc_wrs",
	[SOFTIB_RC_RETRIES].name = "rc_retries",
	[SOFTIB_RC_RNR_RETRIES].name = "rc_rnr_retries",
	[SOFTIB_RX_WRS].name = "rx_wrs",
	[SOFTIB_RX_CQES].name = "rx_cqes",
	[SOFTIB_RX_EVENTS].name = "rx_events",
	[SOFTIB_RX_DELIVERED].name = "rx_delivered",
	[SOFTIB_DROP_FABRIC].name = "drop_fabric",
	[SOFTIB_DROP_PORT_DOWN].name = "drop_port_down",
	[SOFTIB_DROP_NO_DEST].name = "drop_no_dest",
	[SOFTIB_DROP_NO_MEMBER].name = "drop_no_member",
	[SOFTIB_DROP_QP_STATE].name = "drop_qp_state",
	[SOFTIB_DROP_QKEY].name = "drop_qkey",
	[SOFTIB_DROP_PKEY].name = "drop_pkey",
	[SOFTIB_DROP_LENGTH].name = "drop_length",
	[SOFTIB_DROP_NO_RECEIVE_WR].name = "drop_no_receive_wr",
	[SOFTIB_DROP_RECEIVE_FAULT].name = "drop_receive_fault",
	[SOFTIB_CQ_OVERFLOWS].name = "cq_overflows",
	[SOFTIB_AH_DESTROYED_IN_USE].name = "ah_destroyed_in_use",
};

/* Sum over all CPUs; exact once nothing is in flight. Any context. */
u64 softib_counter_read(struct softib_stats __percpu *stats, enum softib_counter which)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(stats, cpu)->verbs[which]);
	return sum;
}

/* As softib_counter_read(), for what the PMA reports. Octets, not 4-octet words. */
u64 softib_link_counter_read(struct softib_stats __percpu *stats, enum softib_link_counter which)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(stats, cpu)->link[which]);
	return sum;
}

/* ib_device_ops.alloc_hw_port_stats: lifespan 0, so that every read is exact. */
struct rdma_hw_stats *softib_alloc_hw_port_stats(struct ib_device *ibdev, u32 port_num)
{
	BUILD_BUG_ON(ARRAY_SIZE(softib_counter_descs) != SOFTIB_NUM_COUNTERS);

	return rdma_alloc_hw_stats_struct(softib_counter_descs, SOFTIB_NUM_COUNTERS, 0);
}

/* ib_device_ops.get_hw_stats: fills one value, or all of them when @index is their number. */
int softib_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port_num,
			int index)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);
	int i;

	if (!port)
		return -EINVAL;
	if (index < SOFTIB_NUM_COUNTERS) {
		stats->value[index] = softib_counter_read(port->stats, index);
		return index;
	}
	for (i = 0; i < SOFTIB_NUM_COUNTERS; i++)
		stats->value[i] = softib_counter_read(port->stats, i);
	return SOFTIB_NUM_COUNTERS;
}
