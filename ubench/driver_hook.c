// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the command that loads the unpatched or the patched driver. */
#include "driver_hook.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "knob.h"

enum { POLL_MS = 20, COMMAND_LIMIT_MS = 120000, SETTLE_LIMIT_MS = 10000 };

static void pause_ms(int ms)
{
	const struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&ts, NULL);
}

pid_t driver_hook_start(const char *command, bool patched)
{
	const char *driver = patched ? "patched" : "unpatched";
	char line[640];
	pid_t pid;

	if (snprintf(line, sizeof(line), "%s \"$1\"", command) >= (int)sizeof(line))
		return -ENAMETOOLONG;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		setpgid(0, 0);
		dup2(STDERR_FILENO, STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		execl("/bin/sh", "sh", "-c", line, "driver-hook", driver, (char *)NULL);
		_exit(127);
	}
	setpgid(pid, pid);
	return pid;
}

static int wait_for_command(pid_t pid)
{
	int status, waited_ms;

	for (waited_ms = 0; waited_ms < COMMAND_LIMIT_MS; waited_ms += POLL_MS) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECHILD;
		pause_ms(POLL_MS);
	}
	kill(-pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -ETIMEDOUT;
}

int driver_hook_finish(pid_t pid, const struct knob *knob, bool patched)
{
	int waited_ms, err = wait_for_command(pid);

	if (err)
		return err;
	for (waited_ms = 0; waited_ms < SETTLE_LIMIT_MS; waited_ms += POLL_MS) {
		if (knob_iface_present(knob) && knob_present(knob) == patched)
			return 0;
		pause_ms(POLL_MS);
	}
	return -ETIMEDOUT;
}
