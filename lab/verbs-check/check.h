/* SPDX-License-Identifier: GPL-2.0-only */
/* How a check says what is wrong, and the tables of checks. */
#ifndef VERBS_CHECK_CHECK_H
#define VERBS_CHECK_CHECK_H

#include <linux/errno.h>
#include <linux/printk.h>

struct ib_device;

/**
 * struct vc_check - one check
 * @name: reads as a claim
 * @run:  0 if the claim holds, -errno otherwise; process context
 */
struct vc_check {
	const char *name;
	int (*run)(struct ib_device *device);
};

/* Makes a check fail, with the place in the log. */
static inline int vc_wrong(const char *function, int line, const char *what)
{
	pr_err("verbs_check: %s:%d: not so: %s\n", function, line, what);
	return -EINVAL;
}

#define VC_EXPECT(claim) ((claim) ? 0 : vc_wrong(__func__, __LINE__, #claim))

extern const struct vc_check vc_sq_checks[];
extern const struct vc_check vc_sqe_checks[];
extern const struct vc_check vc_cq_checks[];
extern const struct vc_check vc_qp_checks[];
extern const struct vc_check vc_rc_checks[];
extern const struct vc_check vc_rc_error_checks[];
extern const struct vc_check vc_srq_checks[];

int vc_bench(struct ib_device *device, unsigned int messages, unsigned int octets,
	     unsigned int signal_rate);

#endif
