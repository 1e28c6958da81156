/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.csv: one line a point, for spreadsheets and scripts. */
#ifndef UBENCH_REPORT_CSV_H
#define UBENCH_REPORT_CSV_H

#include <stdio.h>

struct json_t;

/*
 * Writes header and rows (RFC 4180 with bare newlines) of a run, all slices of a grid; what is not
 * known is empty. 0, -ENOMEM, or -EINVAL if the document is not a run.
 */
int report_csv(FILE *out, const struct json_t *run);

#endif
