// SPDX-License-Identifier: GPL-2.0-or-later
/* One-way delays of a flow, exact where both ends share a clock, relative to the least one elsewhere. Pure. */
#include "delay.h"

#include <stdlib.h>

#include "hist.h"
#include "result.h"

/* Keep every other sample, so that the flow's whole time stays covered evenly. */
static void thin_out(struct delay *d)
{
	size_t i;

	for (i = 0; i < DELAY_SAMPLES / 2; i++)
		d->samples[i] = d->samples[2 * i];
	d->n = DELAY_SAMPLES / 2;
	d->stride *= 2;
}

void delay_record(struct delay *d, int64_t transit_ns)
{
	if (!d->count) {
		d->samples = malloc(DELAY_SAMPLES * sizeof(*d->samples));
		d->stride = 1;
		d->min_ns = d->max_ns = transit_ns;
	}
	if (transit_ns < d->min_ns)
		d->min_ns = transit_ns;
	if (transit_ns > d->max_ns)
		d->max_ns = transit_ns;
	if (d->samples && d->count % d->stride == 0) {
		d->samples[d->n++] = transit_ns;
		if (d->n == DELAY_SAMPLES)
			thin_out(d);
	}
	d->count++;
}

struct result_delay delay_result(const struct delay *d, int is_same_clock)
{
	const int64_t origin_ns = is_same_clock ? 0 : d->min_ns;
	struct result_delay r = { .is_known = d->n > 0, .is_same_clock = is_same_clock };
	struct hist h;
	size_t i;

	if (!r.is_known)
		return r;
	hist_init(&h);
	for (i = 0; i < d->n; i++)
		hist_record(&h, d->samples[i] > origin_ns ? (uint64_t)(d->samples[i] - origin_ns) : 0);
	r.count = d->count;
	r.p50_ns = hist_percentile(&h, 0.5);
	r.p90_ns = hist_percentile(&h, 0.9);
	r.p99_ns = hist_percentile(&h, 0.99);
	r.max_ns = d->max_ns > origin_ns ? (uint64_t)(d->max_ns - origin_ns) : 0;
	return r;
}

void delay_free(struct delay *d)
{
	free(d->samples);
	d->samples = NULL;
	d->n = 0;
}
