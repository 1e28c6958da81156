// SPDX-License-Identifier: GPL-2.0-only
/* Checks a device's kernel verbs against IBA while the module loads, or measures them. */
#include "check.h"

#include <linux/module.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>

static char *device_name = "softib0";
module_param_named(device, device_name, charp, 0444);
MODULE_PARM_DESC(device, "Device to use (default softib0); its first port must be active");

static char *set = "ud";
module_param_named(set, set, charp, 0444);
MODULE_PARM_DESC(set, "Checks to run: ud (default) or rc");

static unsigned int bench_messages;
module_param_named(bench, bench_messages, uint, 0444);
MODULE_PARM_DESC(bench, "Measure that many messages instead of checking (default 0)");

static unsigned int bench_octets = 100;
module_param_named(octets, bench_octets, uint, 0444);
MODULE_PARM_DESC(octets, "Octets of a measured message (default 100)");

static unsigned int bench_signal_rate = 1;
module_param_named(signal_rate, bench_signal_rate, uint, 0444);
MODULE_PARM_DESC(signal_rate, "One measured message in so many asks for a completion (default 1)");

static int vc_run(struct ib_device *device, const struct vc_check *check)
{
	int failed = 0;

	for (; check->name; check++) {
		int err = check->run(device);

		pr_info("verbs_check: %s - %s (%d)\n", err ? "not ok" : "ok", check->name, err);
		failed += !!err;
	}
	return failed;
}

static int vc_run_all(struct ib_device *device)
{
	int failed = 0;

	if (!strcmp(set, "rc")) {
		failed += vc_run(device, vc_rc_checks);
		failed += vc_run(device, vc_rc_error_checks);
		failed += vc_run(device, vc_srq_checks);
	} else {
		failed += vc_run(device, vc_sq_checks);
		failed += vc_run(device, vc_sqe_checks);
		failed += vc_run(device, vc_cq_checks);
		failed += vc_run(device, vc_qp_checks);
	}
	return failed ? -EIO : 0;
}

static int __init vc_init(void)
{
	struct ib_device *device = ib_device_get_by_name(device_name, RDMA_DRIVER_UNKNOWN);
	int err;

	if (!device)
		return -ENODEV;
	if (bench_messages)
		err = vc_bench(device, bench_messages, bench_octets, bench_signal_rate);
	else
		err = vc_run_all(device);
	ib_device_put(device);
	return err;
}

static void __exit vc_exit(void)
{
}

module_init(vc_init);
module_exit(vc_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Checks and measures kernel verbs");
