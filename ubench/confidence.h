/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence intervals over the iterations of a test. Pure. */
#ifndef UBENCH_CONFIDENCE_H
#define UBENCH_CONFIDENCE_H

#include <stddef.h>

/*
 * Width of the two-sided confidence interval of the mean of n values, in
 * percent of the mean: 2 t s / (sqrt(n) mean), t being the quantile of
 * Student's distribution with n - 1 degrees of freedom. NAN for n < 2 or a
 * mean of 0. level_percent is above 0 and below 100.
 */
double confidence_width_percent(const double *values, size_t n, double level_percent);

#endif
