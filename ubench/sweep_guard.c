// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one place that restores the interface. The sweep holds the write end of a pipe and the guard
 * reads it: end of file means that the sweep has ended or died, so every way out is the same way.
 */
#include "sweep_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver_hook.h"
#include "knob.h"
#include "knob_state.h"

/* A message is the pid of a running hook, 0 when it has ended, or this. */
static const pid_t ORDERLY_END = -1;

static void wait_until_gone(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	int polls;

	for (polls = 0; polls < 6000 && pid > 0 && !kill(pid, 0); polls++)
		nanosleep(&pause, NULL);
}

/* Waits for the sweep's end; true if the sweep said goodbye. */
static bool wait_for_end(int fd)
{
	pid_t message = 0, hook = 0;
	bool orderly = false;
	ssize_t len;

	while ((len = read(fd, &message, sizeof(message))) != 0) {
		if (len != sizeof(message))
			continue;
		if (message == ORDERLY_END)
			orderly = true;
		else
			hook = message;
	}
	wait_until_gone(hook);
	return orderly;
}

static int restore_settings(const struct knob *knob, const struct knob_state *state)
{
	char value[SETTING_VALUE_MAX];
	unsigned int i;
	int err, ret = 0;

	for (i = 0; i < state->n_settings; i++) {
		err = setting_read(&state->settings[i].what, knob, value, sizeof(value));
		if (!err && strcmp(value, state->settings[i].value))
			err = setting_write(&state->settings[i].what, knob, state->settings[i].value);
		ret = ret ? ret : err;
	}
	return ret;
}

static int restore_rate(const struct knob *knob, const struct knob_state *state)
{
	long rate;

	if (!state->rate || (!knob_read(knob, &rate) && rate == state->rate))
		return 0;
	return knob_write(knob, state->rate);
}

/* One value that cannot be put back keeps none of the others. */
static int restore(const struct knob *knob, const struct knob_state *state)
{
	pid_t pid;
	int err, other;

	if (*state->hook &&
	    (!knob_iface_present(knob) || knob_present(knob) != state->patched)) {
		pid = driver_hook_start(state->hook, state->patched);
		err = pid < 0 ? (int)pid : driver_hook_finish(pid, knob, state->patched);
		if (err)
			return err;
	}
	err = restore_rate(knob, state);
	other = restore_settings(knob, state);
	return err ? err : other;
}

static void ignore_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP };
	size_t i;

	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
}

/* A pipeline after the sweep must see its end of file although the guard lives on. */
static void drop_standard_streams(void)
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null_fd < 0)
		return;
	dup2(null_fd, STDIN_FILENO);
	dup2(null_fd, STDOUT_FILENO);
}

static int guard_main(int fd, const struct knob *knob, const struct knob_state *state)
{
	bool orderly;
	int err;

	setsid();
	prctl(PR_SET_NAME, "ubench-guard");
	ignore_signals();
	drop_standard_streams();
	orderly = wait_for_end(fd);
	err = restore(knob, state);
	if (err) {
		fprintf(stderr, "ubench sweep: %s is not as it was: %s; mend it, then run "
			"tx-signal-rate restore\n", knob->iface, strerror(-err));
		return 1;
	}
	knob_state_forget(knob_state_dir(), state->iface);
	if (!orderly)
		fprintf(stderr, "ubench sweep: killed; %s is as it was before\n", knob->iface);
	return 0;
}

int sweep_guard_start(struct sweep_guard *guard, const struct knob *knob, struct knob_state *state,
		      bool *adopted)
{
	int fds[2], err = 0, lock_fd = knob_state_record(knob_state_dir(), state, adopted);

	if (lock_fd < 0)
		return lock_fd;
	if (pipe2(fds, O_CLOEXEC)) {
		err = -errno;
		goto forget;
	}
	guard->pid = fork();
	if (guard->pid == 0) {
		close(fds[1]);
		_exit(guard_main(fds[0], knob, state));
	}
	guard->pipe_fd = fds[1];
	close(fds[0]);
	if (guard->pid > 0)
		goto unlock;	/* the guard's copy of lock_fd keeps the lock */
	err = -errno;
	close(fds[1]);
forget:
	knob_state_forget(knob_state_dir(), state->iface);
unlock:
	close(lock_fd);
	return err;
}

static void tell(const struct sweep_guard *guard, pid_t message)
{
	/* Less than PIPE_BUF, so it arrives whole; a guard that is gone is seen at the end. */
	if (write(guard->pipe_fd, &message, sizeof(message)) < 0)
		return;
}

void sweep_guard_note_hook(const struct sweep_guard *guard, pid_t hook)
{
	tell(guard, hook);
}

int sweep_guard_end(struct sweep_guard *guard)
{
	int status;
	pid_t pid;

	tell(guard, ORDERLY_END);
	close(guard->pipe_fd);
	do {
		pid = waitpid(guard->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	return pid == guard->pid && WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}
