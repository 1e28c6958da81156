/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one `ubench <TEST> ... --json` as a child process and reads what it measured. */
#ifndef UBENCH_SWEEP_CHILD_H
#define UBENCH_SWEEP_CHILD_H

#include <signal.h>

struct json_t;

struct sweep_child {
	char *const *argv;		/* whole command line of the child, NULL-terminated */
	volatile sig_atomic_t *stop;	/* set by a signal handler: end the child */
	unsigned int limit_s;		/* longest time it may run */
	void (*tick)(void *context);	/* called a few times a second while it runs */
	void *context;
};

/*
 * Builds the child's command line from the arguments after the sweep's "--": test[0] is the name of
 * the test; --json goes behind it. The strings are shared with test. NULL if out of memory; free()
 * the array. Behind its NULL is room for sweep_child_set_rate().
 */
char **sweep_child_argv(char *const *test, int n_test);

/* Put (again) --signal-rate RATE behind the test's own options; rate is kept, not copied. */
void sweep_child_set_rate(char **argv, char *const *test, int n_test, char *rate);

/*
 * Runs the child (this same binary) and waits for it; the child dies with this process. Returns 0
 * and the child's JSON document (a new reference), -EINTR if *stop ended it, or -ECHILD with one
 * sentence in why: the child's own error where it left one, or that its time was over.
 */
int sweep_child_run(const struct sweep_child *child, struct json_t **document, char *why,
		    size_t why_len);

#endif
