/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of runs for the terminal. */
#ifndef UBENCH_REPORT_TABLE_H
#define UBENCH_REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct summary;

/*
 * The test's own table (netperf's) of each point: of the repeat whose sender rate is the median (the lower one of
 * two), headed by the point and the repeat's number.
 */
void report_table_netperf(FILE *out, const struct summary *summary);

/* One row a point, medians; a column without any figure is left out. Returns 0 or -ENOMEM. */
int report_table_summary(FILE *out, const struct summary *summary);

/* Runs side by side, matched by point: rate, ratio and loss of each. Returns 0 or -ENOMEM. */
int report_table_compare(FILE *out, const struct summary *runs, size_t n_runs);

#endif
