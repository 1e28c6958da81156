// SPDX-License-Identifier: GPL-2.0-or-later
/* The schema checker: every keyword it knows, and the place it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/schema.c"

static char reason[256];

/* Both as JSON text; an empty result means valid. */
static const char *check(const char *schema_json, const char *document_json)
{
	json_t *schema = json_loads(schema_json, JSON_DECODE_ANY, NULL);
	json_t *document = json_loads(document_json, JSON_DECODE_ANY, NULL);

	assert_non_null(schema);
	assert_non_null(document);
	reason[0] = '\0';
	if (!schema_check(schema, document, reason, sizeof(reason)))
		reason[0] = '\0';
	json_decref(schema);
	json_decref(document);
	return reason;
}

static void test_types(void **state)
{
	(void)state;
	assert_string_equal(check("{\"type\":\"integer\"}", "4"), "");
	assert_string_equal(check("{\"type\":\"integer\"}", "4.5"), "/: not of type integer");
	assert_string_equal(check("{\"type\":\"number\"}", "4"), "");
	assert_string_equal(check("{\"type\":[\"string\",\"null\"]}", "null"), "");
	assert_string_equal(check("{\"type\":[\"string\",\"null\"]}", "1"), "/: of none of the allowed types");
	assert_string_equal(check("{\"type\":\"boolean\"}", "true"), "");
}

static void test_members_are_named_by_their_path(void **state)
{
	const char *schema = "{\"type\":\"object\",\"required\":[\"a\"],\"additionalProperties\":false,"
			     "\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"minimum\":2}}}}";

	(void)state;
	assert_string_equal(check(schema, "{\"a\":[2,3]}"), "");
	assert_string_equal(check(schema, "{\"a\":[2,1]}"), "a/1: below 2");
	assert_string_equal(check(schema, "{}"), "/: 'a' is missing");
	assert_string_equal(check(schema, "{\"a\":[],\"b\":1}"), "/: 'b' is not known");
}

static void test_values_choices_and_references(void **state)
{
	const char *schema = "{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"anyOf\":[{\"const\":1},"
			     "{\"enum\":[\"a\",null]}]}}}";

	(void)state;
	assert_string_equal(check(schema, "1"), "");
	assert_string_equal(check(schema, "null"), "");
	assert_string_equal(check(schema, "\"b\""), "/: none of the allowed values");
	assert_non_null(strstr(check("{\"$ref\":\"#/$defs/y\"}", "1"), "not there"));
}

static void test_keyword_it_does_not_know_is_not_ignored(void **state)
{
	(void)state;
	assert_non_null(strstr(check("{\"maximum\":1}", "2"), "not supported"));
}

static void test_schema_of_runs_is_built_in(void **state)
{
	json_t *schema = schema_of_run();

	(void)state;
	assert_non_null(schema);
	assert_true(json_is_object(json_object_get(schema, "$defs")));
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_members_are_named_by_their_path),
		cmocka_unit_test(test_values_choices_and_references),
		cmocka_unit_test(test_keyword_it_does_not_know_is_not_ignored),
		cmocka_unit_test(test_schema_of_runs_is_built_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
