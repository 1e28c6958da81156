// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of result documents; what it takes must be written and read again. */
#include "../../ubench/result.c"
#include "../../ubench/result_json.c"
#include "../../ubench/result_read.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	json_t *doc = json_loadb((const char *)data, len, 0, NULL), *again;
	struct ubench_result r, copy;
	const char *what;

	if (doc && !result_from_json(&r, doc, &what)) {
		again = result_to_json(&r);
		if (!again)
			abort();
		if (!result_from_json(&copy, again, &what))
			result_free(&copy);
		json_decref(again);
		result_free(&r);
	}
	json_decref(doc);
	return 0;
}
