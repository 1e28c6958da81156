/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `ubench sweep`. */
#ifndef UBENCH_SWEEP_OPTIONS_H
#define UBENCH_SWEEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sweep_knob.h"

struct json_t;

enum { SWEEP_MAX_COMPARE = 8 };

struct sweep_options {
	const char *iface;		/* NULL: only options of the test are varied */
	struct sweep_knob knobs[SWEEP_MAX_KNOBS];
	size_t n_knobs;			/* 1 or 2; two make a grid */
	const char *rates;		/* values of the first knob that has none; NULL: the usual ones */
	const char *hook;		/* NULL: the driver stays */
	const char *output;		/* NULL: a name made of time, host and test */
	const char *sysfs_root;
	unsigned int repeats;
	unsigned int warmups;		/* runs before the first round, not part of any figure */
	double until_ci_percent;	/* add rounds until intervals are this narrow; 0: do not */
	unsigned int limit_s;		/* longest time of one run */
	unsigned int max_repeats;	/* with until_ci_percent */
	bool interleaved;		/* rounds in the order of rates; false: shuffled */
	bool has_drift_checks;		/* the baseline before the first and after each round */
	bool has_seed;
	uint32_t seed;
	const char *resume;		/* directory of a sweep to finish; NULL: a new one */
	struct json_t *notes;		/* object of strings */
	const char *compare[SWEEP_MAX_COMPARE];
	size_t n_compare;
	char **test;			/* what follows "--": the test and its options */
	int n_test;
};

/*
 * Parses argv; argv[0] is "sweep". Returns -1 to go on, or the exit code after help or an error was
 * printed. sweep_options_free() in any case.
 */
int sweep_options_parse(struct sweep_options *options, int argc, char **argv);
void sweep_options_free(struct sweep_options *options);

/* True if a knob is set on the interface, which has to be put back. */
bool sweep_options_change_interface(const struct sweep_options *options);

#endif
