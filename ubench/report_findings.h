/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run says: which differences are real, which rate to take, what to distrust. */
#ifndef UBENCH_REPORT_FINDINGS_H
#define UBENCH_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "sweep_inference.h"

struct json_t;
struct summary;
struct summary_point;

/* A rate may add this much loss, in points of percent, over the baseline and still be taken. */
#define FINDINGS_LOSS_LIMIT 1.0
/* The smallest rate that reaches this part of the best sender rate is enough. */
#define FINDINGS_ENOUGH 0.99

enum difference { DIFFERENCE_UNKNOWN, DIFFERENCE_NOT_SHOWN, DIFFERENCE_FASTER, DIFFERENCE_SLOWER };

struct finding {
	const struct summary_point *point;
	struct inference_interval mean;		/* sender packets per second */
	struct inference_interval ratio;	/* to the baseline, paired by round */
	double p_adjusted;			/* Holm, over the points of the run */
	enum difference difference;
	bool *is_outlier;			/* of the point's repeats */
};

struct findings {
	const struct summary *summary;
	struct finding *points;			/* as many as the summary has */
	struct inference_interval drift;	/* of the sender's rate over the sweep, relative */
	size_t n_drift_checks;			/* runs of the baseline that drift rests on; 0: all repeats */
	const struct summary_point *recommended;	/* NULL: no rate can be recommended */
	char reason[320];
};

/* Draws the conclusions; summary must outlive *findings. findings_free() afterwards. */
void findings_init(struct findings *findings, const struct summary *summary);
void findings_free(struct findings *findings);

/* "faster", "slower", "not shown", or "-". */
const char *findings_word(enum difference difference);

/* A p-value as text: "0.0123", "<0.0001", "-" for an unknown one; returns buf. */
const char *findings_p_text(double p, char *buf, size_t buf_len);

/* True if at least one point has an interval, that is two repeats. */
bool findings_have_intervals(const struct findings *findings);

/*
 * Half the width of the widest interval in percent of its estimate: of the ratio to the baseline, of
 * the mean for a run without baseline. INFINITY while a point has no interval. *label names the point.
 */
double findings_widest_percent(const struct findings *findings, const char **label);

/* Prints drift, outliers and the recommendation, one line each. */
void findings_print_conclusions(FILE *out, const struct findings *findings);

/* Prints the table of intervals, and one line for each conclusion. Returns 0 or -ENOMEM. */
int findings_print(FILE *out, const struct findings *findings);

/* The "findings" object of run.json, of all slices of a run; a new reference. */
struct json_t *findings_to_json(const struct findings *slices, size_t n);

#endif
