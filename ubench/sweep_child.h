/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one `ubench <TEST> ... --json` as a child process and reads what it measured. */
#ifndef UBENCH_SWEEP_CHILD_H
#define UBENCH_SWEEP_CHILD_H

#include <signal.h>

struct json_t;
struct sweep_plan;
struct sweep_point;

struct sweep_child {
	char *const *argv;		/* whole command line of the child, NULL-terminated */
	volatile sig_atomic_t *stop;	/* set by a signal handler: end the child */
	unsigned int limit_s;		/* longest time it may run */
	void (*tick)(void *context);	/* called a few times a second while it runs */
	void *context;
};

/*
 * Builds the child's command line from the arguments after the sweep's "--": test[0] is the name of
 * the test; --json goes behind it, and the values of a point that are options of the test behind the
 * options of their kind, so that they hold. The strings are shared with test and plan. NULL if out of
 * memory; free() the array.
 */
char **sweep_child_argv(char *const *test, int n_test, const struct sweep_plan *plan,
			const struct sweep_point *point);

/*
 * Runs the child (this same binary) and waits for it; the child dies with this process. Returns 0
 * and the child's JSON document (a new reference), -EINTR if *stop ended it, or -ECHILD with one
 * sentence in why: the child's own error where it left one, or that its time was over.
 */
int sweep_child_run(const struct sweep_child *child, struct json_t **document, char *why,
		    size_t why_len);

#endif
