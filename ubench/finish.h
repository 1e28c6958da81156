/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two ends of a test command: a result begun with its circumstances, and reported. */
#ifndef UBENCH_FINISH_H
#define UBENCH_FINISH_H

#include <stdio.h>

#include "report_text.h"

struct options;
struct ubench_result;

/* Initialise r: who runs what, when, where. */
void finish_start(struct ubench_result *r, const struct options *opt, const char *test, int argc,
		  char **argv);

/*
 * Print the result to stdout as text or JSON and its error to stderr. As text, a
 * run that sent nothing prints no table. Returns the exit code.
 */
int finish_report(const struct ubench_result *r, const struct options *opt,
		  void (*text)(FILE *out, const struct ubench_result *r, int print_headers));

#endif
