/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.csv: one line a point, for spreadsheets and scripts. */
#ifndef UBENCH_REPORT_CSV_H
#define UBENCH_REPORT_CSV_H

#include <stdio.h>

struct summary;

/* Writes header and rows (RFC 4180 with bare newlines); what is not known is empty. */
void report_csv(FILE *out, const struct summary *summary);

#endif
