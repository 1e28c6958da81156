/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `ubench sweep`. */
#ifndef UBENCH_SWEEP_OPTIONS_H
#define UBENCH_SWEEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;

enum { SWEEP_MAX_COMPARE = 8 };

/* The knob that is an option of the test, by its name in documents and on the command line. */
#define SWEEP_TEST_KNOB "signal-rate"

struct sweep_options {
	const char *iface;		/* NULL with is_test_knob */
	bool is_test_knob;		/* --signal-rate of VERBS_UD instead of the interface's attribute */
	const char *rates;		/* NULL: all of the usual ones that are possible */
	const char *hook;		/* NULL: the driver stays */
	const char *output;		/* NULL: a name made of time, host and test */
	const char *sysfs_root;
	unsigned int repeats;
	unsigned int warmups;		/* runs before the first round, not part of any figure */
	double until_ci_percent;	/* add rounds until intervals are this narrow; 0: do not */
	unsigned int limit_s;		/* longest time of one run */
	unsigned int max_repeats;	/* with until_ci_percent */
	bool interleaved;		/* rounds in the order of rates; false: shuffled */
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

/* Name of the knob that is swept. */
const char *sweep_options_knob(const struct sweep_options *options);

#endif
