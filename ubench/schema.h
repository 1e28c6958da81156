/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a JSON document against a JSON Schema. */
#ifndef UBENCH_SCHEMA_H
#define UBENCH_SCHEMA_H

#include <stddef.h>

struct json_t;

/* results/run.schema.json as it was when this program was built; a new reference. */
struct json_t *schema_of_run(void);

/*
 * Checks document against schema (JSON Schema 2020-12: type, const, enum, minimum, required,
 * properties, additionalProperties, items, anyOf, and $ref to "#/$defs/..."; other keywords that
 * restrict are refused rather than ignored). Returns 0, or -EINVAL with the place and the rule in
 * why, such as "repeats/3/rate: not an integer or null".
 */
int schema_check(const struct json_t *schema, const struct json_t *document, char *why,
		 size_t why_len);

#endif
