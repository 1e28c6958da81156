/* SPDX-License-Identifier: GPL-2.0-only */
/* Optional cost model: what a doorbell, a CQE and a completion interrupt cost the CPU. */
#ifndef SOFTIB_COST_H
#define SOFTIB_COST_H

#include <linux/compiler.h>
#include <linux/types.h>

extern unsigned int softib_cost_irq_ns;
extern unsigned int softib_cost_cqe_ns;
extern unsigned int softib_cost_doorbell_ns;

void softib_cost_spin(u64 ns);

/* Charges @count times @ns_each nanoseconds to this CPU; any context; free when the cost is 0. */
static inline void softib_cost_charge(unsigned int ns_each, unsigned int count)
{
	if (unlikely(ns_each && count))
		softib_cost_spin((u64)ns_each * count);
}

#endif
