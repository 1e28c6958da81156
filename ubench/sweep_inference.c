// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics that decide whether a difference is real, by way of GSL. */
#include "sweep_inference.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>

#include "sweep_stats.h"

static const struct inference_interval unknown = { NAN, NAN, NAN, NAN };

/* A scratch array; without memory for a few numbers there is nothing left to report. */
static double *scratch(size_t n)
{
	double *values = calloc(n ? n : 1, sizeof(*values));

	if (!values)
		abort();
	return values;
}

/* Interval and p-value of a mean that would be 0 without an effect. */
static struct inference_interval t_interval(double mean, double standard_error, double freedom)
{
	double reach = gsl_cdf_tdist_Pinv(0.5 + INFERENCE_CONFIDENCE / 2, freedom) * standard_error;
	struct inference_interval interval = { mean, mean - reach, mean + reach, NAN };

	if (standard_error > 0)
		interval.p_value = 2 * gsl_cdf_tdist_Q(fabs(mean) / standard_error, freedom);
	else
		interval.p_value = mean != 0 ? 0 : 1;
	return interval;
}

/* Mean of n values, all known. */
static struct inference_interval mean_interval(const double *values, size_t n)
{
	struct inference_interval interval = unknown;

	if (n == 0)
		return unknown;
	interval.estimate = gsl_stats_mean(values, 1, n);
	if (n < 2)
		return interval;
	return t_interval(interval.estimate, gsl_stats_sd(values, 1, n) / sqrt((double)n),
			  (double)n - 1);
}

struct inference_interval inference_mean(const double *values, size_t n)
{
	double *known = scratch(n);
	struct inference_interval interval;
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (isfinite(values[i]))
			known[kept++] = values[i];
	interval = mean_interval(known, kept);
	interval.p_value = NAN;
	free(known);
	return interval;
}

struct inference_interval inference_paired_ratio(const double *values, const double *base, size_t n)
{
	double *logs = scratch(n);
	struct inference_interval interval;
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (values[i] > 0 && base[i] > 0)	/* false for NAN */
			logs[kept++] = log(values[i] / base[i]);
	interval = mean_interval(logs, kept);
	free(logs);
	interval.estimate = exp(interval.estimate);
	interval.low = exp(interval.low);
	interval.high = exp(interval.high);
	return interval;
}

void inference_adjust(double *p_values, size_t n)
{
	bool *done = calloc(n ? n : 1, sizeof(*done));
	size_t i, smallest, left = 0;
	double floor = 0;

	if (!done)
		abort();
	for (i = 0; i < n; i++) {
		done[i] = !isfinite(p_values[i]);
		left += !done[i];
	}
	for (; left; left--) {
		for (smallest = n, i = 0; i < n; i++)
			if (!done[i] && (smallest == n || p_values[i] < p_values[smallest]))
				smallest = i;
		done[smallest] = true;
		floor = fmax(floor, fmin(1, p_values[smallest] * (double)left));
		p_values[smallest] = floor;
	}
	free(done);
}

struct inference_interval inference_drift(const double *values, size_t n)
{
	double *place = scratch(n), *known = scratch(n);
	double c0, slope, cov00, cov01, cov11, sumsq;
	struct inference_interval interval = unknown;
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		place[kept] = (double)i;
		known[kept++] = values[i];
	}
	if (kept > 2) {
		gsl_fit_linear(place, 1, known, 1, kept, &c0, &slope, &cov00, &cov01, &cov11,
			       &sumsq);
		interval = t_interval(slope * (double)n, sqrt(cov11) * (double)n,
				      (double)kept - 2);
	}
	free(place);
	free(known);
	return interval;
}

void inference_outliers(const double *values, size_t n, bool *is_outlier)
{
	double *distance = scratch(n);
	double median = sweep_stats_median(values, n), mad;
	size_t i, known = 0;

	for (i = 0; i < n; i++) {
		distance[i] = fabs(values[i] - median);
		known += isfinite(values[i]);
		is_outlier[i] = false;
	}
	mad = sweep_stats_median(distance, n);
	for (i = 0; known >= 5 && i < n; i++)
		is_outlier[i] = distance[i] * 0.6745 > 3.5 * mad;
	free(distance);
}
