// SPDX-License-Identifier: GPL-2.0-or-later
/* --fail-if: conditions on a result that turn it into a failed check. Pure. */
#include "fail_if.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

const char fail_if_metrics[] = "loss pps rx_pps errors duplicates out_of_order jitter_ms mbit_s";

static double if_received(const struct ubench_result *r, double value)
{
	return r->received.is_known && !r->received.is_byte_stream ? value : NAN;
}

static double loss(const struct ubench_result *r)
{
	return if_received(r, result_lost_percent(&r->received));
}

static double pps(const struct ubench_result *r)
{
	return result_rate(r->sent.packets, r->sent.seconds);
}

static double rx_pps(const struct ubench_result *r)
{
	return if_received(r, result_rate(r->received.packets, r->received.seconds));
}

static double errors(const struct ubench_result *r)
{
	return (double)r->sent.send_errors;
}

static double duplicates(const struct ubench_result *r)
{
	return r->received.is_sequenced ? (double)r->received.duplicates : NAN;
}

static double out_of_order(const struct ubench_result *r)
{
	return r->received.is_sequenced ? (double)r->received.out_of_order : NAN;
}

static double jitter_ms(const struct ubench_result *r)
{
	return if_received(r, r->received.jitter_ms);
}

static double mbit_s(const struct ubench_result *r)
{
	return r->received.is_known ? 8e-6 * result_rate(r->received.bytes, r->received.seconds) :
				      NAN;
}

static const struct {
	const char *name;
	double (*value)(const struct ubench_result *r);
} metrics[] = {
	{ "loss", loss },
	{ "pps", pps },
	{ "rx_pps", rx_pps },
	{ "errors", errors },
	{ "duplicates", duplicates },
	{ "out_of_order", out_of_order },
	{ "jitter_ms", jitter_ms },
	{ "mbit_s", mbit_s },
};

#define N_METRICS (sizeof(metrics) / sizeof(*metrics))

static int find_metric(const char *name, size_t len, unsigned int *metric)
{
	for (*metric = 0; *metric < N_METRICS; ++*metric)
		if (strlen(metrics[*metric].name) == len &&
		    !memcmp(metrics[*metric].name, name, len))
			return 0;
	return -EINVAL;
}

int fail_if_parse(const char *text, struct fail_if *condition)
{
	const char *op = text + strcspn(text, "<>"), *number = op + 1;
	char *end;

	if (!*op || find_metric(text, (size_t)(op - text), &condition->metric))
		return -EINVAL;
	condition->text = text;
	condition->is_greater = *op == '>';
	condition->or_equal = *number == '=';
	number += condition->or_equal;
	if (!*number || number[strspn(number, "0123456789.%")])
		return -EINVAL;
	condition->threshold = strtod(number, &end);
	/* Only loss is a percentage; there the sign may stand. */
	if (end != number && *end == '%' && metrics[condition->metric].value == loss)
		end++;
	return end == number || *end ? -EINVAL : 0;
}

bool fail_if_holds(const struct fail_if *condition, const struct ubench_result *r)
{
	double value = metrics[condition->metric].value(r);

	if (isnan(value) || (condition->or_equal && value == condition->threshold))
		return true;
	return condition->is_greater ? value > condition->threshold : value < condition->threshold;
}
