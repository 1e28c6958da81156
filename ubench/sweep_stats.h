/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics over the repeats of a point. Pure; NAN stands for "not known" throughout. */
#ifndef UBENCH_SWEEP_STATS_H
#define UBENCH_SWEEP_STATS_H

#include <stddef.h>

/* Median of the known values; NAN if there is none. values keep their order. */
double sweep_stats_median(const double *values, size_t n);

/* (largest - smallest) / median of the known values, in percent; NAN below two. */
double sweep_stats_spread_percent(const double *values, size_t n);

/*
 * Index of the known value that is the median, the lower one of the middle two for an even count;
 * n if no value is known.
 */
size_t sweep_stats_median_index(const double *values, size_t n);

/* a / b; NAN if either is not known or b is 0. */
double sweep_stats_ratio(double a, double b);

#endif
