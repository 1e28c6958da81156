// SPDX-License-Identifier: GPL-2.0-only
/* Optional cost model: busy-waits for what hardware would make the CPU wait. */
#include "cost.h"

#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/processor.h>

#define SOFTIB_COST_MAX_NS 1000000U

unsigned int softib_cost_irq_ns;
unsigned int softib_cost_cqe_ns;
unsigned int softib_cost_doorbell_ns;

static int softib_cost_set(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, 0, SOFTIB_COST_MAX_NS);
}

static const struct kernel_param_ops softib_cost_ops = {
	.set = softib_cost_set,
	.get = param_get_uint,
};

module_param_cb(cost_irq_ns, &softib_cost_ops, &softib_cost_irq_ns, 0644);
MODULE_PARM_DESC(cost_irq_ns, "Nanoseconds a completion interrupt costs its CPU (default 0)");
module_param_cb(cost_cqe_ns, &softib_cost_ops, &softib_cost_cqe_ns, 0644);
MODULE_PARM_DESC(cost_cqe_ns, "Nanoseconds a polled CQE costs the polling CPU (default 0)");
module_param_cb(cost_doorbell_ns, &softib_cost_ops, &softib_cost_doorbell_ns, 0644);
MODULE_PARM_DESC(cost_doorbell_ns, "Nanoseconds a post-send call costs its CPU (default 0)");

/*
 * Busy-waits @ns nanoseconds; any context. By the clock that rates are measured with: a guest that
 * calibrates ndelay() on a busy host may have it wrong by half.
 */
void softib_cost_spin(u64 ns)
{
	u64 start = ktime_get_mono_fast_ns();

	while (ktime_get_mono_fast_ns() - start < ns)
		cpu_relax();
}
