/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of each point of a run, derived from the raw repeats in its document. */
#ifndef UBENCH_REPORT_SUMMARY_H
#define UBENCH_REPORT_SUMMARY_H

#include <stddef.h>

struct json_t;

/* Labels of all runs, and slices of all runs, in one table or page. */
enum { SUMMARY_MAX_LABELS = 256, SUMMARY_MAX_SLICES = 64 };

/* What is measured in each repeat, NAN where it is not known. */
enum metric {
	METRIC_SENDER_PPS,
	METRIC_RECEIVER_PPS,
	METRIC_SENDER_MBIT,		/* 10^6 bit/s */
	METRIC_RECEIVER_MBIT,
	METRIC_LOSS_PERCENT,		/* of the packets sent */
	METRIC_CQES_PER_PACKET,		/* per work request posted */
	METRIC_EVENTS_PER_PACKET,
	METRIC_DOORBELLS_PER_PACKET,
	METRIC_NS_PER_PACKET,		/* sender seconds / packets sent */
	METRIC_SENDER_CPU_US,		/* CPU time of the whole sending host / packets sent */
	METRIC_RECEIVER_CPU_US,		/* of the receiving host / packets received */
	METRIC_SENDER_CPU_PERCENT,	/* utilisation of all CPUs of the host */
	METRIC_RECEIVER_CPU_PERCENT,
	METRIC_HELD_PACKETS,		/* most sent packets that the driver may keep unfreed: rate - 1 */
	METRIC_HELD_USECS,		/* longest time that it may keep them */
	METRICS
};

/* Names as in run.json, by enum metric. */
extern const char *const metric_names[METRICS];

struct summary_point {
	const char *label;		/* value of the first knob; owned by the document */
	char *full_label;		/* as in plan.points: with the second knob's value in a grid */
	size_t n;			/* repeats */
	double *values[METRICS];	/* n each, in the order of the repeats */
	const struct json_t **repeats;	/* n, owned by the document */
	double median[METRICS];
	double spread_percent;		/* of the sender's rate */
	double ratio;			/* sender's rate to the baseline's */
};

struct summary {
	const struct json_t *run;
	char name[128];			/* how tables call this run, a slice's value included */
	size_t slice;			/* which one of a grid, 0 for other runs */
	const char *slice_knob;		/* the second knob and its value here; NULL without one */
	const char *slice_value;
	struct summary_point *points;	/* in the order of the plan */
	size_t n_points;
	const struct summary_point *baseline;	/* of the plan; "unpatched", else "1", else NULL without */
};

/* The metrics of one repeat of a run. */
void summary_metrics(const struct json_t *repeat, double values[METRICS]);

/*
 * Into how many summaries a run goes: a grid of two knobs has one for each value of the second knob,
 * in which only the first varies; any other run is one.
 */
size_t summary_slices(const struct json_t *run);

/*
 * Fills *summary from a document, which must outlive it. Points without a finished repeat are left
 * out. Returns 0, -ENOMEM, or -EINVAL if the document is not a run. summary_free() afterwards.
 */
int summary_init_slice(struct summary *summary, const struct json_t *run, const char *name,
		       size_t slice);
/* The only slice, or the first one. */
int summary_init(struct summary *summary, const struct json_t *run, const char *name);
void summary_free(struct summary *summary);

/* The point with that label, or NULL. */
const struct summary_point *summary_find(const struct summary *summary, const char *label);

/*
 * The labels of all runs, each once: "unpatched" first, then rates from small to large, others in
 * their order behind. Returns their number, at most max_labels; the strings belong to the runs.
 */
size_t summary_labels(const struct summary *runs, size_t n_runs, const char **labels,
		      size_t max_labels);

/* Name of the knob that the run varies, owned by the document; NULL if it varies none. */
const char *summary_knob(const struct summary *summary);

/* True if any point knows the metric. */
int summary_knows(const struct summary *summary, enum metric metric);

/* The sender's rate of point over that of the unpatched driver, NAN if that was not measured. */
double summary_ratio_to_unpatched(const struct summary *summary, const struct summary_point *point);

/* Appends the points to the "points" array of run.json. */
void summary_to_json(const struct summary *summary, struct json_t *array);

#endif
