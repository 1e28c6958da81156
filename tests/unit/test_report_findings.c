// SPDX-License-Identifier: GPL-2.0-or-later
/* 2,000 simulated sweeps with a known truth, and the recommendation with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/knob.c"
#include "../../ubench/report_findings.c"
#include "../../ubench/report_summary.c"
#include "../../ubench/sweep_inference.c"
#include "../../ubench/sweep_stats.c"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { SWEEPS = 2000, ROUNDS = 5, RATES = 5 };

static const char *const labels[] = { "unpatched", "1", "4", "8", "16", "32" };

static json_t *repeat(const char *label, int round, double pps, double loss)
{
	json_int_t packets = llround(pps * 100), lost = llround(pps * loss);

	return json_pack("{s:s, s:i, s:{s:{s:{s:f, s:I}, s:{s:f, s:I, s:I}}}}", "point", label,
			 "round", round, "result", "end", "sum_sent", "seconds", 100.0, "packets",
			 packets, "sum_received", "seconds", 100.0, "packets", packets - lost,
			 "lost_packets", lost);
}

static json_t *new_run(int n_points)
{
	json_t *points = json_array();
	int i;

	for (i = 0; i < n_points; i++)
		json_array_append_new(points, json_string(labels[i]));
	return json_pack("{s:{s:s}, s:{s:o}, s:[]}", "start", "knob", "tx_signal_rate", "plan",
			 "points", points, "repeats");
}

/* A sweep of a host whose speed wanders by 5 % from round to round, with 1 % noise on each run. */
static json_t *simulate(gsl_rng *rng, double effect)
{
	json_t *run = new_run(1 + RATES), *repeats = json_object_get(run, "repeats");
	double host, pps;
	int round, i;

	for (round = 1; round <= ROUNDS; round++) {
		host = 200000 * exp(gsl_ran_gaussian(rng, 0.05));
		for (i = 0; i <= RATES; i++) {
			pps = host * (i ? effect : 1) * exp(gsl_ran_gaussian(rng, 0.01));
			json_array_append_new(repeats, repeat(labels[i], round, pps, 1));
		}
	}
	return run;
}

struct tally {
	int covered;		/* intervals of the ratio that hold the truth */
	int intervals;
	int quiet;		/* sweeps that claim no difference at any rate */
};

static struct tally simulate_all(double effect, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct tally tally = { 0 };
	struct findings findings;
	struct summary summary;
	json_t *run;
	int sweep, i, claims;

	gsl_rng_set(rng, seed);
	for (sweep = 0; sweep < SWEEPS; sweep++) {
		run = simulate(rng, effect);
		assert_int_equal(summary_init(&summary, run, ""), 0);
		findings_init(&findings, &summary);
		for (claims = 0, i = 1; i <= RATES; i++) {
			const struct finding *finding = &findings.points[i];

			tally.intervals++;
			tally.covered += finding->ratio.low <= effect && effect <= finding->ratio.high;
			claims += finding->difference != DIFFERENCE_NOT_SHOWN;
		}
		tally.quiet += !claims;
		findings_free(&findings);
		summary_free(&summary);
		json_decref(run);
	}
	gsl_rng_free(rng);
	return tally;
}

static void test_interval_of_the_ratio_covers_the_truth_as_often_as_it_says(void **state)
{
	struct tally tally = simulate_all(1.2, 1);
	double percent = 100.0 * tally.covered / tally.intervals;

	(void)state;
	print_message("covered: %.2f %% of %d intervals\n", percent, tally.intervals);
	assert_true(percent >= 93 && percent <= 97);
}

static void test_without_effect_a_sweep_claims_no_difference(void **state)
{
	struct tally tally = simulate_all(1, 2);
	double percent = 100.0 * tally.quiet / SWEEPS;

	(void)state;
	print_message("no difference claimed: %.2f %% of %d sweeps\n", percent, SWEEPS);
	assert_true(percent >= 94);
}

/* A sweep of few and unlike repeats, its baseline run 6 times between them on a host that changes by drift. */
static json_t *drifting(gsl_rng *rng, double drift)
{
	json_t *run = simulate(rng, 1.2), *checks = json_array();
	int i;

	for (i = 0; i <= ROUNDS; i++)
		json_array_append_new(checks, repeat("unpatched", i, 200000 * (1 + drift * i / (ROUNDS + 1)) *
						     exp(gsl_ran_gaussian(rng, 0.005)), 0));
	json_object_set_new(run, "drift_checks", checks);
	return run;
}

/* How many of 500 sweeps say that the host changed; the interval should hold the truth. */
static int drift_claims(double drift, unsigned long seed, int *covered)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct findings findings;
	struct summary summary;
	int sweep, claims = 0;
	json_t *run;

	gsl_rng_set(rng, seed);
	for (*covered = 0, sweep = 0; sweep < 500; sweep++) {
		run = drifting(rng, drift);
		assert_int_equal(summary_init(&summary, run, ""), 0);
		findings_init(&findings, &summary);
		assert_int_equal(findings.n_drift_checks, ROUNDS + 1);
		claims += findings.drift.p_value < 1 - INFERENCE_CONFIDENCE;
		*covered += findings.drift.low - 0.004 < drift && drift < findings.drift.high + 0.004;
		findings_free(&findings);
		summary_free(&summary);
		json_decref(run);
	}
	gsl_rng_free(rng);
	return claims;
}

static void test_repeated_baseline_shows_a_host_that_drifts_and_no_other(void **state)
{
	int claims, covered;

	(void)state;
	claims = drift_claims(0, 3, &covered);
	print_message("steady host: %d of 500 sweeps claim drift\n", claims);
	assert_in_range(claims, 5, 45);		/* 25 expected */
	claims = drift_claims(0.06, 4, &covered);
	print_message("6 %% slower to faster: %d of 500 sweeps say so, %d intervals hold it\n", claims, covered);
	assert_true(claims > 480);
	assert_true(covered > 465);
}

/* Two rounds that differ by 0.2 % around each point's rate. */
static json_t *run_of(const double *pps, const double *loss)
{
	json_t *run = new_run(1 + RATES), *repeats = json_object_get(run, "repeats");
	int round, i;

	for (round = 1; round <= 3; round++)
		for (i = 0; i <= RATES; i++)
			json_array_append_new(repeats, repeat(labels[i], round,
				pps[i] * (1 + 0.001 * ((round + i) % 3 - 1)), loss[i]));
	return run;
}

static void assert_recommends(const double *pps, const double *loss, const char *label,
			      const char *reason)
{
	json_t *run = run_of(pps, loss);
	struct findings findings;
	struct summary summary;

	assert_int_equal(summary_init(&summary, run, ""), 0);
	findings_init(&findings, &summary);
	assert_non_null(findings.recommended);
	assert_string_equal(findings.recommended->label, label);
	assert_non_null(strstr(findings.reason, reason));
	findings_free(&findings);
	summary_free(&summary);
	json_decref(run);
}

static void test_smallest_rate_near_the_best_is_recommended(void **state)
{
	const double pps[] = { 100e3, 100e3, 110e3, 118e3, 119.5e3, 120e3 };
	const double loss[] = { 1, 1, 1, 1.5, 1.5, 1.5 };

	(void)state;
	assert_recommends(pps, loss, "16", "within 1 % of the best sender rate (120000 packets/s at 32)");
	assert_recommends(pps, loss, "16", "loss +0.50 points");
}

static void test_rate_that_loses_more_is_not_recommended(void **state)
{
	const double pps[] = { 100e3, 100e3, 110e3, 118e3, 130e3, 140e3 };
	const double loss[] = { 1, 1, 1, 1, 20, 30 };

	(void)state;
	assert_recommends(pps, loss, "8", "left out for more loss: 16, 32");
}

static void test_rate_1_is_recommended_when_nothing_is_faster(void **state)
{
	const double pps[] = { 100e3, 100e3, 100e3, 100e3, 100e3, 100e3 };
	const double loss[] = { 1, 1, 1, 1, 1, 1 };

	(void)state;
	assert_recommends(pps, loss, "1", "no rate is shown to be faster than unpatched");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval_of_the_ratio_covers_the_truth_as_often_as_it_says),
		cmocka_unit_test(test_without_effect_a_sweep_claims_no_difference),
		cmocka_unit_test(test_repeated_baseline_shows_a_host_that_drifts_and_no_other),
		cmocka_unit_test(test_smallest_rate_near_the_best_is_recommended),
		cmocka_unit_test(test_rate_that_loses_more_is_not_recommended),
		cmocka_unit_test(test_rate_1_is_recommended_when_nothing_is_faster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
