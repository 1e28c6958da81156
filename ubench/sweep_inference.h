/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What repeats say beyond their own numbers: intervals, differences, drift, outliers. Pure. */
#ifndef UBENCH_SWEEP_INFERENCE_H
#define UBENCH_SWEEP_INFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#define INFERENCE_CONFIDENCE 0.95

/* NAN throughout where there are too few values. */
struct inference_interval {
	double estimate;
	double low, high;	/* of INFERENCE_CONFIDENCE */
	double p_value;		/* two-sided, of "there is no effect" */
};

/* Mean of the values and its interval by Student's t; p_value is NAN. Unknown values do not count. */
struct inference_interval inference_mean(const double *values, size_t n);

/*
 * Ratio of values to base, paired by index, both positive: the geometric mean of the pairs' ratios
 * and its interval by Student's t over their logarithms. Pairing takes out what a round did to both
 * alike. Pairs with an unknown value do not count; below two pairs only the estimate is known.
 */
struct inference_interval inference_paired_ratio(const double *values, const double *base, size_t n);

/*
 * Holm's adjustment of n p-values in place, so that the chance of one false "difference" among all
 * comparisons of a sweep stays below 1 - INFERENCE_CONFIDENCE. Unknown values stay unknown.
 */
void inference_adjust(double *p_values, size_t n);

/*
 * Relative change per sweep: slope of values (each relative to its own point, so around 1) over
 * their place in the run, times the number of places. Below three values not known.
 */
struct inference_interval inference_drift(const double *values, size_t n);

/*
 * Flags values whose distance from the median is more than 3.5 robust standard deviations (median
 * absolute deviation / 0.6745; Iglewicz and Hoaglin 1993). Fewer than five values are never flagged.
 */
void inference_outliers(const double *values, size_t n, bool *is_outlier);

#endif
