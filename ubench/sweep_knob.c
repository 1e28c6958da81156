// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of knobs and their values, from the command line. */
#include "sweep_knob.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"

static bool starts_with(const char *text, const char *head)
{
	return !strncmp(text, head, strlen(head));
}

/* Sets the kind by the name. 0 or -EINVAL. */
static int find_kind(struct sweep_knob *knob)
{
	const char *name = knob->name;

	if (!strcmp(name, KNOB_NAME))
		knob->kind = SWEEP_KNOB_RATE;
	else if (!strcmp(name, "driver"))
		knob->kind = SWEEP_KNOB_DRIVER;
	else if (!strcmp(name, "signal-rate"))
		knob->kind = SWEEP_KNOB_SIGNAL;
	else if (starts_with(name, "global:-") && name[8])
		knob->kind = SWEEP_KNOB_GLOBAL;
	else if (starts_with(name, "option:-") && name[8])
		knob->kind = SWEEP_KNOB_OPTION;
	else if (!setting_parse(&knob->setting, name))
		knob->kind = SWEEP_KNOB_SETTING;
	else
		return -EINVAL;
	if (!strcmp(name, "sysfs:" KNOB_NAME))
		knob->kind = SWEEP_KNOB_RATE;	/* with the checks that it has */
	return 0;
}

int sweep_knob_parse(struct sweep_knob *knob, const char *text, char *why, size_t why_len)
{
	size_t len = strcspn(text, "=");

	*knob = (struct sweep_knob){ 0 };
	if (len < sizeof(knob->name)) {
		memcpy(knob->name, text, len);
		if (!find_kind(knob)) {
			if (knob->kind == SWEEP_KNOB_RATE)
				strcpy(knob->name, KNOB_NAME);
			return text[len] ? sweep_knob_take_values(knob, text + len + 1, 0, why,
								  why_len) : 0;
		}
	}
	snprintf(why, why_len, "bad --knob '%s': allowed are " KNOB_NAME ", driver, signal-rate, "
		 "sysfs:ATTRIBUTE, global:OPTION, option:OPTION, ethtool: and one of %s", text,
		 setting_ethtool_names());
	return -EINVAL;
}

static int bad_value(const struct sweep_knob *knob, const char *text, long rate_max, char *why,
		     size_t why_len)
{
	char range[48];

	switch (knob->kind) {
	case SWEEP_KNOB_RATE:
	case SWEEP_KNOB_SIGNAL:
		snprintf(why, why_len, "bad rate '%s': allowed are %s%s", text,
			 knob_range_text(rate_max, range, sizeof(range)),
			 knob->kind == SWEEP_KNOB_RATE ? " and \"" SWEEP_UNPATCHED "\"" : "");
		break;
	case SWEEP_KNOB_DRIVER:
		snprintf(why, why_len, "bad driver '%s': allowed are " SWEEP_UNPATCHED " and "
			 SWEEP_PATCHED, text);
		break;
	default:
		snprintf(why, why_len, "bad value '%s' of %s", text, knob->name);
	}
	return -EINVAL;
}

/* Checks a value and writes it the one way it is written everywhere. 0 or -EINVAL. */
static int normalize(const struct sweep_knob *knob, const char *text, long rate_max, char *value)
{
	long number;
	char *end;

	switch (knob->kind) {
	case SWEEP_KNOB_RATE:
	case SWEEP_KNOB_SIGNAL:
		if (knob->kind == SWEEP_KNOB_RATE && !strcmp(text, SWEEP_UNPATCHED))
			break;
		if (knob_parse_rate(text, rate_max, &number))
			return -EINVAL;
		snprintf(value, SETTING_VALUE_MAX, "%ld", number);
		return 0;
	case SWEEP_KNOB_DRIVER:
		if (strcmp(text, SWEEP_UNPATCHED) && strcmp(text, SWEEP_PATCHED))
			return -EINVAL;
		break;
	case SWEEP_KNOB_SETTING:
		if (knob->setting.kind != SETTING_ETHTOOL)
			break;
		number = strtol(text, &end, 10);
		if (*text < '0' || *text > '9' || *end || number > UINT32_MAX)
			return -EINVAL;
		snprintf(value, SETTING_VALUE_MAX, "%ld", number);
		return 0;
	default:
		break;
	}
	if (!*text || strlen(text) >= SETTING_VALUE_MAX || strchr(text, '\n'))
		return -EINVAL;
	strcpy(value, text);
	return 0;
}

static int take_value(struct sweep_knob *knob, const char *text, long rate_max, char *why,
		      size_t why_len)
{
	size_t i;

	if (knob->n_values == SWEEP_MAX_VALUES) {
		snprintf(why, why_len, "more than %d values of %s", SWEEP_MAX_VALUES, knob->name);
		return -EINVAL;
	}
	if (normalize(knob, text, rate_max, knob->values[knob->n_values]))
		return bad_value(knob, text, rate_max, why, why_len);
	for (i = 0; i < knob->n_values; i++) {
		if (strcmp(knob->values[i], knob->values[knob->n_values]))
			continue;
		snprintf(why, why_len, "%s %s is there twice",
			 knob->kind == SWEEP_KNOB_RATE || knob->kind == SWEEP_KNOB_SIGNAL ?
				 "rate" : knob->name, knob->values[i]);
		return -EINVAL;
	}
	knob->n_values++;
	return 0;
}

int sweep_knob_take_values(struct sweep_knob *knob, const char *list, long rate_max, char *why,
			   size_t why_len)
{
	char *copy = strdup(list), *next = copy, *text;
	int err = 0;

	if (!copy) {
		snprintf(why, why_len, "out of memory");
		return -EINVAL;
	}
	knob->n_values = 0;
	while (!err && (text = strsep(&next, ",")))
		err = take_value(knob, text, rate_max, why, why_len);
	free(copy);
	return err;
}

const char *sweep_knob_option(const struct sweep_knob *knob)
{
	if (knob->kind == SWEEP_KNOB_SIGNAL)
		return "--signal-rate";
	if (knob->kind == SWEEP_KNOB_GLOBAL || knob->kind == SWEEP_KNOB_OPTION)
		return knob->name + 7;	/* behind "global:" or "option:" */
	return NULL;
}

bool sweep_knob_is_of_interface(const struct sweep_knob *knob)
{
	return !sweep_knob_option(knob);
}
