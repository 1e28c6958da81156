/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One self-contained HTML file of one or more runs. */
#ifndef UBENCH_REPORT_HTML_H
#define UBENCH_REPORT_HTML_H

#include <stddef.h>

struct report_runs;

/*
 * Writes tables and plots of the runs, the first one in detail, to path (under a temporary name,
 * then renamed). The same runs give the same bytes. Returns 0, or -1 with a sentence in why.
 */
int report_html(const char *path, const struct report_runs *runs, char *why, size_t why_len);

#endif
