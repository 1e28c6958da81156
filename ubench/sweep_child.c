// SPDX-License-Identifier: GPL-2.0-or-later
/* Each repeat is a process of its own, the very command a user would type. */
#include "sweep_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

enum {
	TICK_MS = 200,
	STOP_GRACE_TICKS = 10,		/* then SIGKILL */
	OUTPUT_MAX = 64 << 20,		/* bytes; a document this long is no document */
};

struct capture {
	int fd;
	char *text;
	size_t len;
};

char **sweep_child_argv(char *const *test, int n_test)
{
	char **argv = calloc((size_t)n_test + 3, sizeof(*argv));
	int i;

	if (!argv)
		return NULL;
	argv[0] = (char *)"ubench";
	argv[1] = test[0];
	argv[2] = (char *)"--json";
	for (i = 1; i < n_test; i++)
		argv[i + 2] = test[i];
	return argv;
}

/* Reads what is there; false at the end of the stream. */
static bool capture_more(struct capture *capture)
{
	char chunk[65536];
	ssize_t len = read(capture->fd, chunk, sizeof(chunk));
	char *grown;

	if (len < 0)
		return errno == EINTR || errno == EAGAIN;
	if (len == 0)
		return false;
	if (capture->len + (size_t)len > OUTPUT_MAX)
		return false;
	grown = realloc(capture->text, capture->len + (size_t)len + 1);
	if (!grown)
		return false;
	memcpy(grown + capture->len, chunk, (size_t)len);
	capture->text = grown;
	capture->len += (size_t)len;
	grown[capture->len] = '\0';
	return true;
}

static void child_main(const struct sweep_child *child, pid_t parent, int out_fd, int err_fd)
{
	int null_fd = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (null_fd >= 0)
		dup2(null_fd, STDIN_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	dup2(err_fd, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	execv("/proc/self/exe", child->argv);
	fprintf(stderr, "cannot run /proc/self/exe: %s\n", strerror(errno));
	_exit(127);
}

static void stop_child(pid_t pid, int *ticks)
{
	if (*ticks == 0)
		kill(-pid, SIGTERM);
	if (*ticks == STOP_GRACE_TICKS)
		kill(-pid, SIGKILL);
	++*ticks;
}

/* Reads both streams to their ends, passing a stop on to the child. */
static void collect(const struct sweep_child *child, pid_t pid, struct capture *captures)
{
	struct pollfd fds[2] = {
		{ .fd = captures[0].fd, .events = POLLIN },
		{ .fd = captures[1].fd, .events = POLLIN },
	};
	int i, stop_ticks = 0;

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (*child->stop)
			stop_child(pid, &stop_ticks);
		else if (child->tick)
			child->tick(child->context);
		if (poll(fds, 2, TICK_MS) <= 0)
			continue;
		for (i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents && !capture_more(&captures[i]))
				fds[i].fd = -1;
	}
}

static int reap(const struct sweep_child *child, pid_t pid)
{
	int status, stop_ticks = 0;
	pid_t got;

	/* Its streams are closed, so it is about to end; a stop still reaches it. */
	while ((got = waitpid(pid, &status, *child->stop ? WNOHANG : 0)) != pid) {
		if (got < 0 && errno != EINTR)
			return -1;
		if (*child->stop) {
			stop_child(pid, &stop_ticks);
			poll(NULL, 0, TICK_MS);
		}
	}
	return status;
}

/* The last line of the child's stderr, without its own "ubench: " in front. */
static const char *last_words(char *text)
{
	char *line;
	size_t len;

	if (!text)
		return NULL;
	len = strlen(text);
	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (!strncmp(line, "ubench: ", 8))
		line += 8;
	return *line ? line : NULL;
}

static void explain(int status, json_t *document, char *stderr_text, char *why, size_t why_len)
{
	const char *text = NULL;

	json_unpack(document, "{s:{s:s}}", "error", "message", &text);
	if (!text)
		text = last_words(stderr_text);
	if (text)
		snprintf(why, why_len, "%s", text);
	else if (status >= 0 && WIFSIGNALED(status))
		snprintf(why, why_len, "the test was killed by signal %d", WTERMSIG(status));
	else if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status))
		snprintf(why, why_len, "the test ended with exit code %d", WEXITSTATUS(status));
	else
		snprintf(why, why_len, "the test left no result");
}

static bool has_figures(json_t *document)
{
	return json_is_object(json_object_get(json_object_get(document, "end"), "sum_sent")) &&
	       !json_object_get(document, "error");
}

static int judge(const struct sweep_child *child, int status, struct capture *captures,
		 json_t **document, char *why, size_t why_len)
{
	json_error_t error;
	bool ok = status >= 0 && WIFEXITED(status) && !WEXITSTATUS(status);

	if (*child->stop)
		return -EINTR;
	*document = json_loads(captures[0].text ? captures[0].text : "", 0, &error);
	if (ok && *document && has_figures(*document)) {
		if (captures[1].len)
			fputs(captures[1].text, stderr);
		return 0;
	}
	explain(status, *document, captures[1].text, why, why_len);
	json_decref(*document);
	*document = NULL;
	return -ECHILD;
}

int sweep_child_run(const struct sweep_child *child, json_t **document, char *why, size_t why_len)
{
	struct capture captures[2] = { 0 };
	int out[2], err[2], ret;
	pid_t pid, parent = getpid();

	if (pipe2(out, O_CLOEXEC))
		goto no_child;
	if (pipe2(err, O_CLOEXEC))
		goto close_out;
	pid = fork();
	if (pid < 0)
		goto close_err;
	if (pid == 0)
		child_main(child, parent, out[1], err[1]);
	setpgid(pid, pid);
	close(out[1]);
	close(err[1]);
	captures[0].fd = out[0];
	captures[1].fd = err[0];
	collect(child, pid, captures);
	close(out[0]);
	close(err[0]);
	ret = judge(child, reap(child, pid), captures, document, why, why_len);
	free(captures[0].text);
	free(captures[1].text);
	return ret;

close_err:
	close(err[0]);
	close(err[1]);
close_out:
	close(out[0]);
	close(out[1]);
no_child:
	snprintf(why, why_len, "cannot start the test: %s", strerror(errno));
	return -ECHILD;
}
