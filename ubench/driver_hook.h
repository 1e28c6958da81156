/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Switches the driver of an interface between its two builds by a command of the user's. */
#ifndef UBENCH_DRIVER_HOOK_H
#define UBENCH_DRIVER_HOOK_H

#include <stdbool.h>
#include <sys/types.h>

struct knob;

/*
 * Starts "command unpatched" or "command patched" by /bin/sh, in a process group of its own so that
 * Ctrl-C does not leave a driver half loaded; its stdout goes to stderr. Returns the pid or -errno.
 */
pid_t driver_hook_start(const char *command, bool patched);

/*
 * Waits for the command and then until the interface shows the driver asked for (the knob is there
 * or is gone). Returns 0, -ECHILD if the command failed, -ETIMEDOUT if it ran for longer than two
 * minutes (it is killed) or the interface did not change within ten seconds of its end.
 */
int driver_hook_finish(pid_t pid, const struct knob *knob, bool patched);

#endif
