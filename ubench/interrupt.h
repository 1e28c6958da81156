/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ctrl-C: once ends the run early, twice ends the process. */
#ifndef UBENCH_INTERRUPT_H
#define UBENCH_INTERRUPT_H

#include <stdbool.h>

/*
 * Catch SIGINT and SIGTERM. The first is noted; the second leaves at once
 * with UBENCH_EXIT_INTERRUPTED. 0 or -errno.
 */
int interrupt_init(void);
bool interrupt_is_pending(void);
/* Readable as soon as one is pending. */
int interrupt_fd(void);

#endif
