/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of runs, drawn by gnuplot as SVG that can stand inside an HTML page. */
#ifndef UBENCH_REPORT_PLOT_H
#define UBENCH_REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

struct findings;
struct summary;

enum plot {
	PLOT_PPS,		/* sender and receiver rates, means with intervals */
	PLOT_RATIO,		/* sender's rate to the baseline's, with intervals */
	PLOT_LOSS,		/* percentage lost, means with intervals */
	PLOT_NS,		/* nanoseconds per packet */
	PLOT_COMPLETIONS,	/* CQEs and events per packet, with 1/rate */
	PLOT_CPU,		/* CPU time per packet at both ends */
	PLOT_LOST_WHERE,	/* shares of the loss, stacked; of the first run */
	PLOT_TIME,		/* interim results of the median repeat of each point, of all runs */
	PLOTS
};

/* What a figure shows, for its caption and for screen readers. */
const char *report_plot_caption(enum plot plot);

/* True if the runs hold anything for this plot. */
bool report_plot_has_data(enum plot plot, const struct summary *runs, size_t n_runs);

/*
 * Writes the <svg> element. Ids inside it are made unique by plot and number, which tells drawings of the
 * same plot in one page apart; colours that are
 * black in it are meant to be set by the page's style. Returns 0, -ENOENT if gnuplot is not
 * installed, or -EIO if it failed.
 */
int report_plot_svg(FILE *out, enum plot plot, size_t number, const struct summary *runs,
		    const struct findings *findings, size_t n_runs);

#endif
