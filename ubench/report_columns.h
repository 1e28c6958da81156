/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of summary tables, the same on the terminal and in HTML. */
#ifndef UBENCH_REPORT_COLUMNS_H
#define UBENCH_REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct summary;
struct summary_point;

struct report_column {
	const char *title;
	int what;		/* enum metric, or one of the figures below */
	int decimals;
};

enum { REPORT_COLUMNS = 14 };

extern const struct report_column report_columns[REPORT_COLUMNS];

/* The figure of a point in a column; NAN if it is not known. */
double report_figure(const struct summary_point *point, const struct report_column *column);

/*
 * True if the column says anything about this run. Bit rates are for runs that count no packets; a
 * receiver that nobody asked for shows as a column of "-".
 */
bool report_column_is_shown(const struct summary *summary, const struct report_column *column);

/* The figure as text, "-" for what is not known; returns buf. */
const char *report_figure_text(double value, int decimals, char *buf, size_t buf_len);

/* What the points of a run are called: "rate", another knob's name, or "case". */
const char *report_point_title(const struct summary *summary);

#endif
