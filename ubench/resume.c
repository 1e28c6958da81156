// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes a cut control connection up again in a thread of its own, so that interim rows stay on time. */
#include "resume.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"

/* The data goes on meanwhile. */
#define PATIENCE_NS (10 * NSEC_PER_SEC)

static void attempt(struct worker *w)
{
	struct resume *r = (struct resume *)((char *)w - offsetof(struct resume, worker));

	r->is_connected = client_resume(&r->attempt, "during the run", PATIENCE_NS);
}

int resume_start(struct resume *r, const struct client *c)
{
	int ret;

	*r = (struct resume){ .attempt = *c, .done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	if (r->done_fd < 0)
		return -errno;
	result_init(&r->scratch, "");
	r->attempt.result = &r->scratch;
	r->worker = (struct worker){ .body = attempt, .cpu = AFFINITY_ANY, .node = -1,
				     .done_fd = r->done_fd };
	ret = worker_start(&r->worker);
	r->is_running = !ret;
	if (ret)
		close(r->done_fd);
	return ret;
}

bool resume_finish(struct resume *r, struct client *c)
{
	struct pollfd p = { .fd = r->done_fd, .events = POLLIN };

	if (!r->is_running)
		return true;
	r->is_running = false;
	/* Not by worker_join() alone, whose signals would break up each connect(). */
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	worker_join(&r->worker);
	close(r->done_fd);
	c->control = r->attempt.control;
	if (!r->is_connected)
		result_set_error(c->result, r->scratch.error.code, r->scratch.error.where, "%s",
				 r->scratch.error.message);
	return r->is_connected;
}
