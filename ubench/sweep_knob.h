/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one --knob of a sweep varies, and over which values. Pure. */
#ifndef UBENCH_SWEEP_KNOB_H
#define UBENCH_SWEEP_KNOB_H

#include <stdbool.h>
#include <stddef.h>

#include "setting.h"

#define SWEEP_UNPATCHED "unpatched"
#define SWEEP_PATCHED "patched"

enum { SWEEP_MAX_KNOBS = 2, SWEEP_MAX_VALUES = 64 };

enum sweep_knob_kind {
	SWEEP_KNOB_RATE,	/* the interface's tx_signal_rate; "unpatched" is the driver without it */
	SWEEP_KNOB_DRIVER,	/* "unpatched" and "patched", loaded by the driver hook */
	SWEEP_KNOB_SETTING,	/* another value of the interface */
	SWEEP_KNOB_GLOBAL,	/* an option of the test, before its own "--" */
	SWEEP_KNOB_OPTION,	/* one behind it */
	SWEEP_KNOB_SIGNAL	/* --signal-rate of VERBS_UD: an option whose values are rates */
};

struct sweep_knob {
	enum sweep_knob_kind kind;
	char name[SETTING_NAME_MAX + 16];	/* as in documents: "tx_signal_rate", "option:-m" */
	struct setting setting;			/* of SWEEP_KNOB_SETTING */
	char values[SWEEP_MAX_VALUES][SETTING_VALUE_MAX];
	size_t n_values;
};

/*
 * Parses "NAME" or "NAME=VALUE,VALUE": tx_signal_rate, driver, signal-rate, sysfs:..., ethtool:...,
 * global:OPTION or option:OPTION. Rates are not checked against a limit here. Returns 0, or -EINVAL
 * with a message for the user in why.
 */
int sweep_knob_parse(struct sweep_knob *knob, const char *text, char *why, size_t why_len);

/*
 * Takes the values of a comma-separated list, each once, in place of those before; rate_max as for
 * knob_parse_rate(). As sweep_knob_parse().
 */
int sweep_knob_take_values(struct sweep_knob *knob, const char *list, long rate_max, char *why,
			   size_t why_len);

/* The option that a knob of the test sets, "-m" or "--signal-rate"; NULL for the others. */
const char *sweep_knob_option(const struct sweep_knob *knob);

/* True for what is set on the interface, so that it must be put back. */
bool sweep_knob_is_of_interface(const struct sweep_knob *knob);

#endif
