// SPDX-License-Identifier: GPL-2.0-or-later
/* Every parser of a value on the command line: sizes, limits, pairs, hosts, address ranges, conditions. */
#include <stdlib.h>
#include <string.h>

#include "../../ubench/addr.c"
#include "../../ubench/cidr.c"
#include "../../ubench/fail_if.c"
#include "../../ubench/parse.c"
#include "../../ubench/result.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char text[256], host[64], device[16];
	struct fail_if condition;
	struct ubench_result r;
	uint64_t size, packets;
	long first = 0, second = 0;
	struct cidr range;
	double seconds;

	if (len >= sizeof(text))
		return 0;
	memcpy(text, data, len);
	text[len] = '\0';
	if (!parse_size(text, &size) && size > INT64_MAX)
		abort();
	if (!parse_int(text, -5, 5, &first) && (first < -5 || first > 5))
		abort();
	if (!parse_seconds(text, &seconds) && !(seconds > 0))
		abort();
	if (!parse_limit(text, &seconds, &packets) && seconds > 0 && packets)
		abort();
	first = 0;
	if (!parse_pair(text, 0, 9, &first, &second) && (first > 9 || second > 9))
		abort();
	if (!parse_host(text, host, sizeof(host), device, sizeof(device)) && !*host)
		abort();
	if (!cidr_parse(text, &range) && range.bits > 128)
		abort();
	result_init(&r, "");
	if (!fail_if_parse(text, &condition))
		fail_if_holds(&condition, &r);
	result_free(&r);
	return 0;
}
