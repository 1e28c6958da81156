/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -k: netperf's output for programs, KEY=VALUE lines, as its -k and the interim results that go with it. */
#ifndef UBENCH_KEYWORDS_H
#define UBENCH_KEYWORDS_H

#include <stdbool.h>
#include <stdio.h>

struct result_interval;
struct ubench_result;

/* The four lines of interim row number n, transactions instead of bits per second if the test has them. */
void keywords_interim(FILE *out, unsigned int n, const struct result_interval *row,
		      bool has_transactions);

/*
 * The lines of a run. list names the keys wanted, separated by commas, as
 * netperf calls them; those that ubench does not have are left out.
 */
void keywords_end(FILE *out, const struct ubench_result *r, const char *list,
		  bool has_transactions);

#endif
