// SPDX-License-Identifier: GPL-2.0-or-later
/* Medians and ratios of repeats, with missing values handled in one place. */
#include "sweep_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* Sorted copy of the known values; *n becomes their number. NULL if there is none. */
static double *known_sorted(const double *values, size_t *n)
{
	double *known = calloc(*n ? *n : 1, sizeof(*known));
	size_t i, kept = 0;

	if (!known)
		abort();
	for (i = 0; i < *n; i++)
		if (isfinite(values[i]))
			known[kept++] = values[i];
	*n = kept;
	if (!kept) {
		free(known);
		return NULL;
	}
	gsl_sort(known, 1, kept);
	return known;
}

double sweep_stats_median(const double *values, size_t n)
{
	double *known = known_sorted(values, &n);
	double median;

	if (!known)
		return NAN;
	median = gsl_stats_median_from_sorted_data(known, 1, n);
	free(known);
	return median;
}

double sweep_stats_spread_percent(const double *values, size_t n)
{
	double *known = known_sorted(values, &n);
	double spread;

	if (!known)
		return NAN;
	spread = n < 2 ? NAN : 100 * sweep_stats_ratio(known[n - 1] - known[0],
						       gsl_stats_median_from_sorted_data(known, 1, n));
	free(known);
	return spread;
}

size_t sweep_stats_median_index(const double *values, size_t n)
{
	size_t n_known = n, i;
	double *known = known_sorted(values, &n_known);
	double wanted;

	if (!known)
		return n;
	wanted = known[(n_known - 1) / 2];
	free(known);
	for (i = 0; i < n; i++)
		if (values[i] == wanted)
			return i;
	return n;
}

double sweep_stats_ratio(double a, double b)
{
	return isfinite(a) && isfinite(b) && b != 0 ? a / b : NAN;
}
