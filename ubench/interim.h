/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interim results: one row per interval, printed in netperf's words and kept for the JSON document. */
#ifndef UBENCH_INTERIM_H
#define UBENCH_INTERIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "result.h"

struct interim {
	/* Set by the owner. */
	FILE *out;			/* NULL: keep the rows, print none */
	bool has_events;		/* print each row as an event of --json-stream */
	bool has_keywords;		/* print each row as lines of -k */
	bool has_transactions;		/* the test's rate is one of transactions */
	struct ubench_result *result;	/* gets the rows */
	int64_t start_ns;		/* of the run */
	int64_t interval_ns;

	unsigned int n;			/* rows so far */
	int64_t last_ns;		/* end of the last row; start_ns at first */
	struct result_sent last;	/* totals then */
	uint64_t last_arrived;
};

/*
 * Close the interval that ends now, with the totals so far. arrived is the
 * receiver's count by its last word, at most a quarter of an interval old, or
 * NULL.
 */
void interim_row(struct interim *in, int64_t now_ns, const struct result_sent *totals,
		 const uint64_t *arrived);

/* As interim_row(), for the run's end; leaves out a remainder below a tenth of an interval. */
void interim_end(struct interim *in, int64_t end_ns, const struct result_sent *totals);

#endif
