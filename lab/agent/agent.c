// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's end of `lab/lab run` and `lab/lab shell`: runs one command at a time for whoever is at the other end of a
 * virtio serial port.
 *
 * usage: lab-agent PORT
 */
#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_MS 1000
#define ABSENT_MS 100

struct agent {
	int port;
	struct frame_parser parser;
	pid_t child; /* 0: no command runs */
	int child_fd; /* readable when the child has ended */
	int input, output, errors; /* -1: closed; a terminal is both input and output */
	bool wanting; /* the caller was told to send input and has not yet */
	uint8_t window[4];
};

static void agent_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void agent_set_window(int fd, const uint8_t *window)
{
	struct winsize size = { .ws_row = window[0] | window[1] << 8, .ws_col = window[2] | window[3] << 8 };

	ioctl(fd, TIOCSWINSZ, &size);
}

static void agent_exec(const char *command)
{
	signal(SIGPIPE, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/* Starts a command between three pipes. Returns its pid or -errno. */
static pid_t agent_spawn(struct agent *agent, const char *command)
{
	int in[2], out[2], err[2];
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		setsid();
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		agent_exec(command);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	agent->input = in[1];
	agent->output = out[0];
	agent->errors = err[0];
	return pid;
}

/* Starts a command on a terminal of its own. Returns its pid or -errno. */
static pid_t agent_spawn_tty(struct agent *agent, const char *command)
{
	int terminal;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		setenv("TERM", "vt100", 0);
		agent_exec(command);
	}
	fcntl(terminal, F_SETFD, FD_CLOEXEC);
	agent_set_window(terminal, agent->window);
	agent->input = terminal;
	agent->output = dup(terminal);
	return pid;
}

/* Forgets the command, which has ended. */
static void agent_forget(struct agent *agent)
{
	agent->child = 0;
	agent_close(&agent->child_fd);
	agent_close(&agent->input);
	agent_close(&agent->output);
	agent_close(&agent->errors);
}

/* Ends a command whose caller has gone, and all of its process group. */
static void agent_abandon(struct agent *agent)
{
	struct pollfd ended = { .fd = agent->child_fd, .events = POLLIN };

	if (!agent->child)
		return;
	kill(-agent->child, SIGHUP);
	kill(-agent->child, SIGTERM);
	if (poll(&ended, 1, END_MS) <= 0)
		kill(-agent->child, SIGKILL);
	waitpid(agent->child, NULL, 0);
	agent_forget(agent);
}

/* The last byte shows that the frame was not cut off and filled up. */
static bool agent_is_whole(const uint8_t *payload, size_t len)
{
	return len > 0 && payload[len - 1] == '\n';
}

static void agent_run(struct agent *agent, bool tty, const uint8_t *payload, size_t len)
{
	char command[FRAME_PAYLOAD + 1];

	if (agent->child || !agent_is_whole(payload, len) || (tty && len < sizeof(agent->window)))
		return;
	if (tty) {
		memcpy(agent->window, payload, sizeof(agent->window));
		payload += sizeof(agent->window);
		len -= sizeof(agent->window);
	}
	memcpy(command, payload, len);
	command[len] = 0;
	agent->child = tty ? agent_spawn_tty(agent, command) : agent_spawn(agent, command);
	if (agent->child < 0) {
		uint8_t code = 126;

		agent_forget(agent);
		frame_send(agent->port, FRAME_EXIT, &code, 1);
		return;
	}
	agent->child_fd = syscall(SYS_pidfd_open, agent->child, 0);
	agent->wanting = false;
}

/* A pipe that polls writable takes FRAME_INPUT bytes at once, so this does not wait for the command. */
static void agent_input(struct agent *agent, const uint8_t *payload, size_t len)
{
	agent->wanting = false;
	if (agent->input >= 0 && (len == 0 || write(agent->input, payload, len) < 0))
		agent_close(&agent->input);
}

static void agent_want(struct agent *agent)
{
	agent->wanting = true;
	frame_send(agent->port, FRAME_WANT, NULL, 0);
}

static int agent_frame(void *context, enum frame_type type, const uint8_t *payload, size_t len)
{
	struct agent *agent = context;

	if (type == FRAME_HELLO && len == FRAME_TOKEN) {
		agent_abandon(agent);
		frame_send(agent->port, FRAME_READY, payload, len);
	} else if (type == FRAME_RUN || type == FRAME_RUN_TTY) {
		agent_run(agent, type == FRAME_RUN_TTY, payload, len);
	} else if (type == FRAME_STDIN) {
		agent_input(agent, payload, len);
	} else if (type == FRAME_WINDOW && len == sizeof(agent->window) && agent->input >= 0) {
		agent_set_window(agent->input, payload);
	} else if (type == FRAME_SIGNAL && len == 1 && agent->child) {
		kill(-agent->child, payload[0]);
	}
	return 0;
}

/* Hands on what a descriptor has; closes it at its end. Returns true if there was something. */
static bool agent_output(struct agent *agent, int *fd, enum frame_type type)
{
	uint8_t data[FRAME_PAYLOAD];
	struct pollfd ready = { .fd = *fd, .events = POLLIN };
	ssize_t n;

	if (*fd < 0 || poll(&ready, 1, 0) <= 0)
		return false;
	n = read(*fd, data, sizeof(data));
	if (n <= 0) {
		agent_close(fd);
		return false;
	}
	frame_send(agent->port, type, data, n);
	return true;
}

/* The command has ended: what it wrote before goes first. What it left in the background loses its pipes. */
static void agent_finish(struct agent *agent)
{
	uint8_t code;
	int status;

	while (agent_output(agent, &agent->output, FRAME_STDOUT) || agent_output(agent, &agent->errors, FRAME_STDERR))
		;
	waitpid(agent->child, &status, 0);
	code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	agent_forget(agent);
	frame_send(agent->port, FRAME_EXIT, &code, 1);
}

/* Reads the port. Nobody at its other end, and a stream that cannot be, end the command. */
static void agent_port(struct agent *agent)
{
	uint8_t data[FRAME_PAYLOAD];
	ssize_t n = read(agent->port, data, sizeof(data));

	if (n > 0 && frame_feed(&agent->parser, data, n, agent_frame, agent) == 0)
		return;
	agent->parser.filled = 0;
	agent_abandon(agent);
	poll(NULL, 0, ABSENT_MS);
}

/* Waits for the port or the command, and serves whichever has something. */
static void agent_turn(struct agent *agent)
{
	struct pollfd fds[] = {
		{ .fd = agent->port, .events = POLLIN },
		{ .fd = agent->output, .events = POLLIN },
		{ .fd = agent->errors, .events = POLLIN },
		{ .fd = agent->wanting ? -1 : agent->input, .events = POLLOUT },
		{ .fd = agent->child_fd, .events = POLLIN },
	};

	if (poll(fds, sizeof(fds) / sizeof(fds[0]), -1) < 0)
		return;
	if (fds[0].revents) {
		/* It may end the command and start another, of whose descriptors nothing is known yet. */
		agent_port(agent);
		return;
	}
	if (fds[1].revents)
		agent_output(agent, &agent->output, FRAME_STDOUT);
	if (fds[2].revents)
		agent_output(agent, &agent->errors, FRAME_STDERR);
	if (fds[3].revents & POLLERR)
		agent_close(&agent->input);
	else if (fds[3].revents)
		agent_want(agent);
	if (fds[4].revents)
		agent_finish(agent);
}

int main(int argc, char **argv)
{
	static struct agent agent = { .child_fd = -1, .input = -1, .output = -1, .errors = -1 };

	if (argc != 2) {
		fprintf(stderr, "usage: lab-agent PORT\n");
		return 2;
	}
	agent.port = open(argv[1], O_RDWR | O_CLOEXEC);
	if (agent.port < 0) {
		fprintf(stderr, "lab-agent: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	for (;;)
		agent_turn(&agent);
}
