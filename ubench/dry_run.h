/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --dry-run: says what a command line would do, and does none of it. */
#ifndef UBENCH_DRY_RUN_H
#define UBENCH_DRY_RUN_H

struct options;
struct options_test;

/*
 * Resolve the hosts and print each setting on a line, "name value", the
 * defaults too. Returns the exit code that the run would begin with: 0, or
 * 1 with the reason on stderr.
 */
int dry_run(const struct options *opt, const struct options_test *test);

#endif
