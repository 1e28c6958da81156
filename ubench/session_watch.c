// SPDX-License-Identifier: GPL-2.0-or-later
/* Watches over a run at the server: limits, progress, and a control connection that may be cut and come back. */
#include "session_watch.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "clock.h"
#include "cmd.h"
#include "session.h"
#include "session_reverse.h"
#include "session_state.h"
#include "session_test.h"

/* The rate of a run is measured over this time. */
#define RATE_NS NSEC_PER_SEC
/* How often a run is looked at whose rate is limited or whose client is gone. */
#define LOOK_NS (250 * NSEC_PER_MSEC)
/* A client whose connection is cut may need its keepalive's half a minute to notice. */
#define CUT_NS (40 * NSEC_PER_SEC)
/* Without a connection and without data there is no client any more. */
#define SILENT_NS NSEC_PER_SEC

struct look {
	int64_t deadline_ns;		/* of the whole run */
	int64_t progress_at_ns;		/* when to tell the client next; INT64_MAX: never */
	uint64_t bytes;			/* at the last look */
	int64_t grown_at_ns;		/* when they were more than before */
	uint64_t rate_bytes;		/* at the beginning of the time the rate is taken over */
	int64_t rate_from_ns;
};

static int64_t wake_at(const struct session *s, const struct look *l, int64_t now_ns)
{
	int64_t at_ns = l->deadline_ns;

	if (l->progress_at_ns < at_ns)
		at_ns = l->progress_at_ns;
	if ((s->config->max_bits_per_second || session_link_is_cut(&s->link)) &&
	    now_ns + LOOK_NS < at_ns)
		at_ns = now_ns + LOOK_NS;
	return at_ns;
}

static bool is_too_fast(const struct session *s, struct look *l, int64_t now_ns)
{
	const double seconds = 1e-9 * (double)(now_ns - l->rate_from_ns);
	double bits;

	if (!s->config->max_bits_per_second || now_ns - l->rate_from_ns < RATE_NS)
		return false;
	bits = 8 * (double)(l->bytes - l->rate_bytes);
	l->rate_bytes = l->bytes;
	l->rate_from_ns = now_ns;
	return bits > (double)s->config->max_bits_per_second * seconds;
}

static bool is_gone(const struct session *s, const struct look *l, int64_t now_ns)
{
	const int64_t cut_ns = s->link.cut_since_ns;

	if (!session_link_is_cut(&s->link))
		return false;
	return now_ns - cut_ns > CUT_NS ||
	       now_ns - (l->grown_at_ns > cut_ns ? l->grown_at_ns : cut_ns) > SILENT_NS;
}

/* Read what has come, tell the client if it is time to. 0, or the exit code when the run must end. */
static int look(struct session *s, struct look *l)
{
	const int64_t now_ns = clock_now_ns();
	struct protocol_progress progress;

	s->test->progress(&progress);
	progress.bytes += session_reverse_bytes();
	if (progress.bytes != l->bytes)
		l->grown_at_ns = now_ns;
	l->bytes = progress.bytes;
	if (now_ns >= l->deadline_ns)
		return session_refuse(s, "the run is longer than this server allows", 0);
	if (is_too_fast(s, l, now_ns))
		return session_refuse(s, "the run is faster than this server allows", 0);
	if (is_gone(s, l, now_ns))
		return session_complain(s, "left during its run");
	if (now_ns >= l->progress_at_ns) {
		l->progress_at_ns = now_ns + s->run.progress_ms * NSEC_PER_MSEC;
		if (session_link_send(&s->link, protocol_progress_pack(&progress)))
			return session_complain(s, "cannot tell the progress");
	}
	return 0;
}

/* Both directions: the client's ends are there. 0, or the exit code. */
static int begin(struct session *s, const json_t *msg)
{
	static struct protocol_begin begin;
	int ret = protocol_begin_parse(msg, &begin);

	if (!ret)
		ret = session_reverse_begin(s->test, &s->run, &s->ready, &begin);
	return ret ? session_refuse(s, "cannot send back", ret) : 0;
}

int session_watch(struct session *s, json_t **msg)
{
	const int64_t now_ns = clock_now_ns();
	struct look l = {
		.deadline_ns = now_ns + clock_from_seconds(s->config->max_seconds),
		.progress_at_ns = s->run.progress_ms ? now_ns + s->run.progress_ms * NSEC_PER_MSEC :
						       INT64_MAX,
		.grown_at_ns = now_ns,
		.rate_from_ns = now_ns,
	};
	int ret;

	for (;;) {
		ret = session_link_receive(&s->link, msg, wake_at(s, &l, clock_now_ns()));
		if (!ret && !protocol_is(*msg, "begin"))
			return 0;
		if (!ret) {
			ret = begin(s, *msg);
			json_decref(*msg);
			if (ret)
				return ret;
		} else if (ret != -ETIMEDOUT && !session_link_is_cut(&s->link)) {
			return session_complain(s, "left during its run: %s", strerror(-ret));
		}
		ret = look(s, &l);
		if (ret)
			return ret;
	}
}
