// SPDX-License-Identifier: GPL-2.0-only
/* Decides which management datagrams the HCA answers, and which are for software above it. */
#include "mad.h"

#include "device.h"
#include "port.h"

#include <rdma/ib_mad.h>
#include <rdma/ib_pma.h>
#include <rdma/ib_smi.h>

static bool softib_mad_is_request(u8 method)
{
	return method == IB_MGMT_METHOD_GET || method == IB_MGMT_METHOD_SET;
}

static int softib_mad_reply(struct ib_mad_hdr *hdr, int result)
{
	if (result & IB_MAD_RESULT_REPLY) {
		hdr->method = IB_MGMT_METHOD_GET_RESP;
		if (hdr->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
			hdr->status |= IB_SMP_DIRECTION;
	}
	return result;
}

/**
 * softib_mad_answer() - answer a management datagram, if softib itself is to
 * @port: the port that received it, an HCA's or a switch's
 * @mad:  request in, answer out if the result says so
 *
 * Any context, no lock held. Return: what ib_device_ops.process_mad returns.
 */
int softib_mad_answer(struct softib_port *port, struct ib_mad *mad)
{
	struct ib_mad_hdr *hdr = &mad->mad_hdr;

	switch (hdr->mgmt_class) {
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
		if (hdr->method == IB_MGMT_METHOD_TRAP_REPRESS)
			return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
		if (!softib_mad_is_request(hdr->method))
			return IB_MAD_RESULT_SUCCESS;
		return softib_mad_reply(hdr, softib_sma(port, (struct ib_smp *)mad));
	case IB_MGMT_CLASS_PERF_MGMT:
		if (!softib_mad_is_request(hdr->method))
			return IB_MAD_RESULT_SUCCESS;
		return softib_mad_reply(hdr, softib_pma(port, (struct ib_pma_mad *)mad));
	default:
		return IB_MAD_RESULT_SUCCESS;
	}
}

/**
 * softib_process_mad() - ib_device_ops.process_mad
 * @ibdev:          the HCA
 * @flags:          IB_MAD_IGNORE_MKEY and the like
 * @port_num:       the port that received the datagram
 * @in_wc:          its receive completion
 * @in_grh:         its GRH
 * @in:             the datagram
 * @out:            the answer
 * @out_size:       size of the answer
 * @out_pkey_index: not used on InfiniBand
 *
 * Called for every datagram QP0 or QP1 receives, responses included, and for what a local agent
 * sends to its own port. Process context, or atomic for the latter.
 *
 * Return: IB_MAD_RESULT_SUCCESS for what agents above are to see, with REPLY if @out is the answer,
 * with CONSUMED if the datagram ends here.
 */
int softib_process_mad(struct ib_device *ibdev, int flags, u32 port_num, const struct ib_wc *in_wc,
		       const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index)
{
	struct softib_port *port = softib_port_get(softib_dev(ibdev), port_num);

	if (!port)
		return IB_MAD_RESULT_FAILURE;
	*out = *in;
	return softib_mad_answer(port, out);
}
