/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small process that puts the interface back when the sweep ends, however it ends. */
#ifndef UBENCH_SWEEP_GUARD_H
#define UBENCH_SWEEP_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct knob;
struct knob_state;

struct sweep_guard {
	pid_t pid;
	int pipe_fd;
};

/*
 * Records *state on disk and starts the guard, a child in a session of its own that no Ctrl-C
 * reaches. From now on the interface comes back to *state when this process calls
 * sweep_guard_end() or dies, SIGKILL included. *state takes over the record of an earlier sweep
 * that could not restore (*adopted). Returns 0, -EBUSY if another sweep has the interface, or -errno.
 */
int sweep_guard_start(struct sweep_guard *guard, const struct knob *knob, struct knob_state *state,
		      bool *adopted);

/* Tells the guard of a running driver hook (0: none), which it lets end before it restores. */
void sweep_guard_note_hook(const struct sweep_guard *guard, pid_t hook);

/* Ends the guard and waits for it. Returns 0 if the interface is as it was, else -EIO. */
int sweep_guard_end(struct sweep_guard *guard);

#endif
