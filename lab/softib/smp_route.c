// SPDX-License-Identifier: GPL-2.0-only
/* A switch's part of directed routing (IBA volume 1, section 14.2.2). */
#include "smp_route.h"

#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

/* A request on its way out (C14-9). */
static enum softib_smp_hop softib_smp_outbound(struct ib_smp *smp, unsigned int ingress,
					       unsigned int *out)
{
	if (smp->hop_cnt && smp->hop_ptr < smp->hop_cnt) {
		/* Hop 0 came here by LID; it has no return port. */
		if (smp->hop_ptr)
			smp->return_path[smp->hop_ptr] = ingress;
		smp->hop_ptr++;
		*out = smp->initial_path[smp->hop_ptr];
		return SOFTIB_SMP_PORT;
	}
	if (smp->hop_ptr == smp->hop_cnt) {
		if (smp->hop_cnt)
			smp->return_path[smp->hop_ptr] = ingress;
		smp->hop_ptr++;
		if (smp->dr_dlid == IB_LID_PERMISSIVE)
			return SOFTIB_SMP_LOCAL;
		*out = be16_to_cpu(smp->dr_dlid);
		return SOFTIB_SMP_LID;
	}
	return smp->hop_ptr == smp->hop_cnt + 1 ? SOFTIB_SMP_LOCAL : SOFTIB_SMP_DISCARD;
}

/* An answer on its way back (C14-13). No subnet manager lives at a switch. */
static enum softib_smp_hop softib_smp_returning(struct ib_smp *smp, unsigned int *out)
{
	if (smp->hop_ptr >= 2 && smp->hop_ptr <= smp->hop_cnt + 1) {
		smp->hop_ptr--;
		*out = smp->return_path[smp->hop_ptr];
		return SOFTIB_SMP_PORT;
	}
	if (smp->hop_ptr == 1 && smp->dr_slid != IB_LID_PERMISSIVE) {
		smp->hop_ptr--;
		*out = be16_to_cpu(smp->dr_slid);
		return SOFTIB_SMP_LID;
	}
	return SOFTIB_SMP_DISCARD;
}

/**
 * softib_smp_route() - one switch's step of a directed-route packet
 * @smp:     the packet; hop pointer and return path are brought up to date
 * @ingress: number of the port it came in by; 0 for an answer of the switch itself
 * @out:     the port for SOFTIB_SMP_PORT (not checked to exist), the LID for SOFTIB_SMP_LID
 *
 * Return: what becomes of the packet.
 */
enum softib_smp_hop softib_smp_route(struct ib_smp *smp, unsigned int ingress, unsigned int *out)
{
	/* C14-6; path entry 0 is not used. */
	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS)
		return SOFTIB_SMP_DISCARD;
	if (ib_get_smp_direction(smp))
		return softib_smp_returning(smp, out);
	return softib_smp_outbound(smp, ingress, out);
}
