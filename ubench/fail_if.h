/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --fail-if: conditions on a result that turn it into a failed check. Pure. */
#ifndef UBENCH_FAIL_IF_H
#define UBENCH_FAIL_IF_H

#include <stdbool.h>

struct ubench_result;

/* "loss>0.1%": a metric, a comparison, a number. */
struct fail_if {
	const char *text;	/* as given, for messages */
	unsigned int metric;	/* index into the table in fail_if.c */
	bool is_greater;
	bool or_equal;
	double threshold;
};

/* 0 or -EINVAL. The condition keeps a pointer to text. */
int fail_if_parse(const char *text, struct fail_if *condition);

/* Whether it holds; a figure that is not known makes every condition on it hold. */
bool fail_if_holds(const struct fail_if *condition, const struct ubench_result *r);

/* Names of the metrics, for --help. */
extern const char fail_if_metrics[];

#endif
