// SPDX-License-Identifier: GPL-2.0-or-later
/* Several runs of one plan, such as one boot per seed, become one run with more repeats. */
#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "report.h"

static const json_t *part(const json_t *run, const char *section, const char *key)
{
	return json_object_get(json_object_get(run, section), key);
}

static bool same(const json_t *a, const json_t *b, const char *section, const char *key)
{
	const json_t *x = part(a, section, key), *y = part(b, section, key);

	return (!x && !y) || json_equal(x, y);
}

static const char *difference(const json_t *a, const json_t *b)
{
	if (!same(a, b, "plan", "points"))
		return "points";
	if (!same(a, b, "start", "knob") || !same(a, b, "plan", "knobs"))
		return "knob";
	if (!same(a, b, "start", "test"))
		return "test command";
	return NULL;
}

/* Where one part came from. */
static json_t *origin(const struct report_runs *runs, size_t r)
{
	static const char *const kept[] = { "utc", "host", "command_line", "notes", NULL };
	json_t *object = json_pack("{s:s}", "name", runs->names[r]);
	int i;

	for (i = 0; kept[i]; i++)
		json_object_set(object, kept[i],
				(json_t *)part(runs->docs[r], "start", kept[i]));
	return object;
}

/* Copies the repeats of one run, its rounds numbered on from first_round. */
static json_int_t add_repeats(json_t *repeats, const json_t *run, size_t number,
			      json_int_t first_round)
{
	json_int_t round, last = 0;
	json_t *repeat, *copy;
	size_t i;

	json_array_foreach(json_object_get(run, "repeats"), i, repeat) {
		round = json_integer_value(json_object_get(repeat, "round"));
		last = round > last ? round : last;
		copy = json_copy(repeat);
		json_object_set_new(copy, "round", json_integer(first_round + round));
		json_object_set_new(copy, "run", json_integer((json_int_t)number));
		json_array_append_new(repeats, copy);
	}
	return first_round + last;
}

/* Notes that all runs share; what differs stays in merged_from. */
static json_t *common_notes(const struct report_runs *runs)
{
	json_t *notes = json_copy((json_t *)part(runs->docs[0], "start", "notes"));
	const char *key;
	json_t *value;
	void *next;
	size_t r;

	for (r = 1; r < runs->n; r++)
		json_object_foreach_safe(notes, next, key, value)
			if (!json_equal(value, json_object_get(part(runs->docs[r], "start",
								    "notes"), key)))
				json_object_del(notes, key);
	return notes ? notes : json_object();
}

json_t *report_merge(const struct report_runs *runs, char *why, size_t why_len)
{
	json_t *merged = json_deep_copy(runs->docs[0]);
	json_t *repeats = json_array(), *origins = json_array();
	json_t *start = json_object_get(merged, "start");
	json_int_t rounds = 0;
	const char *what;
	size_t r;

	for (r = 0; r < runs->n; r++) {
		what = difference(runs->docs[0], runs->docs[r]);
		if (what) {
			snprintf(why, why_len, "%s and %s differ in their %s", runs->names[0],
				 runs->names[r], what);
			json_decref(merged);
			json_decref(repeats);
			json_decref(origins);
			return NULL;
		}
		rounds = add_repeats(repeats, runs->docs[r], r + 1, rounds);
		json_array_append_new(origins, origin(runs, r));
	}
	json_object_set_new(merged, "repeats", repeats);
	/* Between runs hosts change by more than they drift. */
	json_object_del(merged, "drift_checks");
	if (part(merged, "plan", "drift_checks"))
		json_object_set_new(json_object_get(merged, "plan"), "drift_checks", json_false());
	json_object_set_new(json_object_get(merged, "plan"), "repeats", json_integer(rounds));
	json_object_set_new(start, "notes", common_notes(runs));
	json_object_set_new(start, "merged_from", origins);
	return merged;
}
