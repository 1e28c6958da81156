// SPDX-License-Identifier: GPL-2.0-or-later
/* As much of JSON Schema as results/run.schema.json uses; jansson has no validator. */
#include "schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

extern const char schema_text[], schema_text_end[];
__asm__(".section .rodata\n"
	".global schema_text, schema_text_end\n"
	"schema_text: .incbin \"results/run.schema.json\"\n"
	"schema_text_end: .byte 0\n"
	".previous\n");

struct check {
	const json_t *root;	/* of the schema, for $ref */
	char path[512];		/* place in the document */
	char *why;
	size_t why_len;
};

static int check_value(struct check *check, const json_t *schema, const json_t *value);

json_t *schema_of_run(void)
{
	return json_loadb(schema_text, (size_t)(schema_text_end - schema_text), 0, NULL);
}

__attribute__((format(printf, 2, 3)))
static int refuse(struct check *check, const char *format, ...)
{
	va_list args;
	int len = snprintf(check->why, check->why_len, "%s: ", *check->path ? check->path : "/");

	va_start(args, format);
	if (len < (int)check->why_len)
		vsnprintf(check->why + len, check->why_len - (size_t)len, format, args);
	va_end(args);
	return -EINVAL;
}

/* Goes down to a member for one check. */
static int check_member(struct check *check, const char *name, const json_t *schema,
			const json_t *value)
{
	size_t len = strlen(check->path);
	int err;

	snprintf(check->path + len, sizeof(check->path) - len, "%s%s", len ? "/" : "", name);
	err = check_value(check, schema, value);
	check->path[len] = '\0';
	return err;
}

static bool is_of_type(const json_t *value, const char *type)
{
	if (!strcmp(type, "object"))
		return json_is_object(value);
	if (!strcmp(type, "array"))
		return json_is_array(value);
	if (!strcmp(type, "string"))
		return json_is_string(value);
	if (!strcmp(type, "integer"))
		return json_is_integer(value);
	if (!strcmp(type, "number"))
		return json_is_number(value);
	if (!strcmp(type, "boolean"))
		return json_is_boolean(value);
	return !strcmp(type, "null") && json_is_null(value);
}

static int check_type(struct check *check, const json_t *type, const json_t *value)
{
	json_t *one;
	size_t i;

	if (json_is_string(type))
		return is_of_type(value, json_string_value(type)) ? 0 :
			refuse(check, "not of type %s", json_string_value(type));
	json_array_foreach(type, i, one)
		if (is_of_type(value, json_string_value(one)))
			return 0;
	return refuse(check, "of none of the allowed types");
}

static int check_enum(struct check *check, const json_t *allowed, const json_t *value)
{
	json_t *one;
	size_t i;

	json_array_foreach(allowed, i, one)
		if (json_equal(one, value))
			return 0;
	return refuse(check, "none of the allowed values");
}

static int check_object(struct check *check, const json_t *schema, json_t *value)
{
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const json_t *its_schema;
	json_t *member;
	const char *name;
	size_t i;
	int err;

	json_array_foreach(json_object_get(schema, "required"), i, member)
		if (!json_object_get(value, json_string_value(member)))
			return refuse(check, "'%s' is missing", json_string_value(member));
	json_object_foreach(value, name, member) {
		its_schema = json_object_get(properties, name);
		if (!its_schema)
			its_schema = others;
		if (json_is_false(its_schema))
			return refuse(check, "'%s' is not known", name);
		if (!json_is_object(its_schema))
			continue;
		err = check_member(check, name, its_schema, member);
		if (err)
			return err;
	}
	return 0;
}

static int check_items(struct check *check, const json_t *items, const json_t *value)
{
	char place[24];
	json_t *item;
	size_t i;
	int err;

	json_array_foreach(value, i, item) {
		snprintf(place, sizeof(place), "%zu", i);
		err = check_member(check, place, items, item);
		if (err)
			return err;
	}
	return 0;
}

static int check_any(struct check *check, const json_t *choices, const json_t *value)
{
	json_t *choice;
	size_t i;

	json_array_foreach(choices, i, choice)
		if (!check_value(check, choice, value))
			return 0;
	return -EINVAL;		/* why is that of the last choice, the richest one */
}

static int check_ref(struct check *check, const char *ref, const json_t *value)
{
	static const char prefix[] = "#/$defs/";
	const json_t *definition = NULL;

	if (!strncmp(ref, prefix, strlen(prefix)))
		definition = json_object_get(json_object_get(check->root, "$defs"),
					     ref + strlen(prefix));
	return definition ? check_value(check, definition, value) :
			    refuse(check, "the schema refers to %s, which is not there", ref);
}

static int check_keyword(struct check *check, const char *keyword, const json_t *rule,
			 const json_t *value)
{
	static const char *const silent[] = { "$schema", "$defs", "title", "description", "required",
					      "properties", "additionalProperties", NULL };
	int i;

	for (i = 0; silent[i]; i++)
		if (!strcmp(keyword, silent[i]))
			return 0;
	if (!strcmp(keyword, "$ref"))
		return check_ref(check, json_string_value(rule), value);
	if (!strcmp(keyword, "type"))
		return check_type(check, rule, value);
	if (!strcmp(keyword, "const"))
		return json_equal(rule, value) ? 0 : refuse(check, "not the value it must be");
	if (!strcmp(keyword, "enum"))
		return check_enum(check, rule, value);
	if (!strcmp(keyword, "anyOf"))
		return check_any(check, rule, value);
	if (!strcmp(keyword, "items"))
		return json_is_array(value) ? check_items(check, rule, value) : 0;
	if (!strcmp(keyword, "minimum"))
		return !json_is_number(value) || json_number_value(value) >= json_number_value(rule) ?
			0 : refuse(check, "below %g", json_number_value(rule));
	return refuse(check, "the schema has the keyword %s, which is not supported", keyword);
}

static int check_value(struct check *check, const json_t *schema, const json_t *value)
{
	const char *keyword;
	json_t *rule;
	int err;

	json_object_foreach((json_t *)schema, keyword, rule) {
		err = check_keyword(check, keyword, rule, value);
		if (err)
			return err;
	}
	return json_is_object(value) ? check_object(check, schema, (json_t *)value) : 0;
}

int schema_check(const json_t *schema, const json_t *document, char *why, size_t why_len)
{
	struct check check = { .root = schema, .why = why, .why_len = why_len };

	return check_value(&check, schema, document);
}
