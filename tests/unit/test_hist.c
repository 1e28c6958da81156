// SPDX-License-Identifier: GPL-2.0-or-later
/* The histogram: every value has a bucket, percentiles err by at most a sixteenth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/hist.c"

static void test_every_value_lies_in_its_bucket(void **state)
{
	uint64_t value;

	(void)state;
	for (value = 0; value < 100000; value++) {
		assert_true(value <= bucket_end(bucket_of(value)));
		assert_true(!value || value > bucket_end(bucket_of(value) - 1) ||
			    bucket_of(value) == 0);
	}
	assert_in_range(bucket_of(UINT64_MAX), 0, HIST_BUCKETS - 1);
	assert_true(bucket_end(bucket_of(UINT64_MAX)) == UINT64_MAX);
}

static void test_percentiles_err_by_at_most_a_sixteenth(void **state)
{
	static struct hist h;
	uint64_t i, p;

	(void)state;
	hist_init(&h);
	assert_int_equal(hist_percentile(&h, 0.5), 0);
	for (i = 1; i <= 10000; i++)
		hist_record(&h, i * 100);
	p = hist_percentile(&h, 0.5);
	assert_in_range(p, 500000, 500000 + 500000 / 16);
	p = hist_percentile(&h, 0.99);
	assert_in_range(p, 990000, 1000000);
	assert_int_equal(hist_percentile(&h, 1), 1000000);
	assert_int_equal(h.min, 100);
}

static void test_sum_of_histograms_is_the_histogram_of_all(void **state)
{
	static struct hist a, b, all;
	uint64_t i;

	(void)state;
	hist_init(&a);
	hist_init(&b);
	hist_init(&all);
	for (i = 0; i < 1000; i++) {
		hist_record(i % 3 ? &a : &b, i * i);
		hist_record(&all, i * i);
	}
	hist_add(&a, &b);
	assert_memory_equal(&a, &all, sizeof(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_value_lies_in_its_bucket),
		cmocka_unit_test(test_percentiles_err_by_at_most_a_sixteenth),
		cmocka_unit_test(test_sum_of_histograms_is_the_histogram_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
