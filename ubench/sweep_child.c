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
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "sweep_plan.h"

enum {
	TICK_MS = 200,
	REAP_MS = 2,
	STOP_GRACE_TICKS = 10,		/* then SIGKILL */
	/* "ubench", --json, "--", NULL, and an option with its value of each knob */
	OWN_WORDS = 4 + 2 * SWEEP_MAX_KNOBS,
	OUTPUT_MAX = 64 << 20,		/* bytes; a document this long is no document */
};

/* A child under way. */
struct process {
	const struct sweep_child *child;
	pid_t pid;
	double deadline_s;	/* monotonic clock */
	int stop_ticks;		/* since it was told to end */
	bool is_late;
};

struct capture {
	int fd;
	char *text;
	size_t len;
};

/* Appends the options of one side of the test's "--"; returns the place behind. */
static char **add_options(char **to, const struct sweep_plan *plan, const struct sweep_point *point,
			  bool are_global)
{
	size_t k;

	for (k = 0; k < plan->n_knobs; k++) {
		const struct sweep_knob *knob = &plan->knobs[k];

		if (!sweep_knob_option(knob) || (knob->kind == SWEEP_KNOB_GLOBAL) != are_global)
			continue;
		*to++ = (char *)sweep_knob_option(knob);
		*to++ = (char *)knob->values[point->value[k]];
	}
	return to;
}

char **sweep_child_argv(char *const *test, int n_test, const struct sweep_plan *plan,
			const struct sweep_point *point)
{
	char **argv = calloc((size_t)n_test + OWN_WORDS, sizeof(*argv)), **to = argv, **own;
	int i;

	if (!argv)
		return NULL;
	*to++ = (char *)"ubench";
	*to++ = test[0];
	*to++ = (char *)"--json";
	for (i = 1; i < n_test && strcmp(test[i], "--"); i++)
		*to++ = test[i];
	to = add_options(to, plan, point, true);
	own = to;
	*to++ = (char *)"--";
	for (i++; i < n_test; i++)
		*to++ = test[i];
	to = add_options(to, plan, point, false);
	if (to == own + 1)
		*own = NULL;	/* nothing stands behind the "--" */
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

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Called a few times a second: tells the child to end when it must, and kills it a little later. */
static bool must_end(struct process *process)
{
	if (!process->is_late && now_s() > process->deadline_s)
		process->is_late = true;
	if (!*process->child->stop && !process->is_late)
		return false;
	if (process->stop_ticks == 0)
		kill(-process->pid, SIGTERM);
	if (process->stop_ticks == STOP_GRACE_TICKS)
		kill(-process->pid, SIGKILL);
	process->stop_ticks++;
	return true;
}

/* Reads both streams to their ends, passing a stop on to the child. */
static void collect(struct process *process, struct capture *captures)
{
	const struct sweep_child *child = process->child;
	struct pollfd fds[2] = {
		{ .fd = captures[0].fd, .events = POLLIN },
		{ .fd = captures[1].fd, .events = POLLIN },
	};
	int i;

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (!must_end(process) && child->tick)
			child->tick(child->context);
		if (poll(fds, 2, TICK_MS) <= 0)
			continue;
		for (i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents && !capture_more(&captures[i]))
				fds[i].fd = -1;
	}
}

/* Its streams are closed, so it is about to end; a stop still reaches it. */
static int reap(struct process *process)
{
	int status;
	pid_t got;

	while ((got = waitpid(process->pid, &status, WNOHANG)) != process->pid) {
		if (got < 0 && errno != EINTR)
			return -1;
		must_end(process);
		poll(NULL, 0, REAP_MS);
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

static int judge(const struct process *process, int status, struct capture *captures,
		 json_t **document, char *why, size_t why_len)
{
	json_error_t error;
	bool ok = status >= 0 && WIFEXITED(status) && !WEXITSTATUS(status);

	if (*process->child->stop)
		return -EINTR;
	if (process->is_late) {
		snprintf(why, why_len, "the test did not end within %u s (--time-limit)",
			 process->child->limit_s);
		return -ECHILD;
	}
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
	struct process process = { .child = child, .deadline_s = now_s() + child->limit_s };
	struct capture captures[2] = { 0 };
	int out[2], err[2], ret;
	pid_t parent = getpid();

	if (pipe2(out, O_CLOEXEC))
		goto no_child;
	if (pipe2(err, O_CLOEXEC))
		goto close_out;
	process.pid = fork();
	if (process.pid < 0)
		goto close_err;
	if (process.pid == 0)
		child_main(child, parent, out[1], err[1]);
	setpgid(process.pid, process.pid);
	close(out[1]);
	close(err[1]);
	captures[0].fd = out[0];
	captures[1].fd = err[0];
	collect(&process, captures);
	close(out[0]);
	close(err[0]);
	ret = judge(&process, reap(&process), captures, document, why, why_len);
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
