// SPDX-License-Identifier: GPL-2.0-or-later
/* Confidence intervals over the iterations of a test. Pure. */
#include "confidence.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

double confidence_width_percent(const double *values, size_t n, double level_percent)
{
	double mean, t;

	if (n < 2)
		return NAN;
	mean = gsl_stats_mean(values, 1, n);
	if (!(fabs(mean) > 0))
		return NAN;
	t = gsl_cdf_tdist_Pinv(0.5 + level_percent / 200, (double)(n - 1));
	return 100 * 2 * t * gsl_stats_sd_m(values, 1, n, mean) / (sqrt((double)n) * fabs(mean));
}
