// SPDX-License-Identifier: GPL-2.0-or-later
/* What arrives at a receiver's socket: headers of any content, and sequence numbers in any order. */
#include <stdlib.h>

#include "../../ubench/seq.c"
#include "../../ubench/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct seq_tracker t;
	struct wire_header h;
	uint64_t lost, sent;

	if (seq_init(&t))
		return 0;
	for (; len >= 8; data += 8, len -= 8) {
		uint64_t number;

		memcpy(&number, data, sizeof(number));
		/* Small numbers most of the time, else nothing meets. */
		seq_record(&t, number & 1 ? number >> 1 : (number >> 1) % 100000);
		wire_is_ours_short(data, len, number);
		if (wire_parse(data, len, &h))
			seq_record(&t, h.sequence);
	}
	sent = t.next / 2;
	lost = seq_finish(&t, sent);
	if (t.unique + lost != sent || lost > sent)
		abort();
	seq_free(&t);
	return 0;
}
