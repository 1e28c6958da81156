/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gnuplot scripts for the plots of a report, data included. Pure text. */
#ifndef UBENCH_REPORT_PLOT_SCRIPT_H
#define UBENCH_REPORT_PLOT_SCRIPT_H

#include <stdio.h>

#include "report_plot.h"

/* Writes a whole script that prints one SVG to stdout. */
void plot_script(FILE *out, enum plot plot, const struct summary *runs,
		 const struct findings *findings, size_t n_runs);

/* 'text' as gnuplot's single-quoted string, without what would end it or a line. */
void plot_quote(FILE *out, const char *text);

#endif
