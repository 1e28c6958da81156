/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --csv: the figures of one run as a line of comma-separated values. */
#ifndef UBENCH_RESULT_CSV_H
#define UBENCH_RESULT_CSV_H

#include <stdio.h>

struct ubench_result;

/* Names of the columns, as in the JSON document where it has them. */
void result_csv_header(FILE *out);
/* One line; what is not known is empty. RFC 4180 without its CR. */
void result_csv_row(FILE *out, const struct ubench_result *r);

#endif
