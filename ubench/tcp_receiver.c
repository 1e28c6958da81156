// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiving end of one TCP flow: a thread that accepts the flow's connection and counts its bytes. */
#include "tcp_receiver.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "affinity.h"
#include "clock.h"
#include "receiver.h"
#include "wire.h"

#define BUFFER_BYTES (256 * 1024)
/* A stranger's connection may keep the flow waiting so long. */
#define HEADER_SECONDS 2

/* Whether the connection opens with the header of this flow. */
static bool names_flow(const struct tcp_receiver *r, int fd)
{
	struct timeval patience = { .tv_sec = HEADER_SECONDS }, none = { 0 };
	char header[WIRE_HEADER_BYTES];
	struct wire_header h;
	bool is_ours;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	is_ours = recv(fd, header, sizeof(header), MSG_WAITALL) == (ssize_t)sizeof(header) &&
		  wire_parse(header, sizeof(header), &h) && h.nonce == r->nonce &&
		  h.flow_id == r->flow_id;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof(none));
	return is_ours;
}

static bool accept_flow(struct tcp_receiver *r)
{
	if (r->listen_fd < 0)
		return true;
	while (!atomic_load(&r->worker.should_stop)) {
		int fd = accept4(r->listen_fd, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0)
			continue;
		if (names_flow(r, fd)) {
			r->fd = fd;
			atomic_store(&r->is_connected, true);
			return true;
		}
		r->foreign++;
		close(fd);
	}
	return false;
}

static void receive(struct worker *w)
{
	struct tcp_receiver *r =
		(struct tcp_receiver *)((char *)w - offsetof(struct tcp_receiver, worker));
	char *buffer = affinity_alloc(BUFFER_BYTES);
	ssize_t n = 1;

	if (!buffer)
		r->error = -ENOMEM;
	if (!buffer || !accept_flow(r)) {
		affinity_free(buffer, BUFFER_BYTES);
		return;
	}
	r->first_ns = clock_now_ns();
	while (n && !atomic_load_explicit(&w->should_stop, memory_order_relaxed)) {
		n = recv(r->fd, buffer, BUFFER_BYTES, 0);
		if (n > 0) {
			atomic_fetch_add_explicit(&r->bytes, (uint64_t)n, memory_order_relaxed);
		} else if (n < 0 && errno != EINTR) {
			r->error = -errno;
			break;
		}
	}
	r->last_ns = clock_now_ns();
	affinity_free(buffer, BUFFER_BYTES);
}

int tcp_receiver_start(struct tcp_receiver *r)
{
	int ret;

	r->worker.body = receive;
	r->worker.done_fd = -1;
	ret = worker_start(&r->worker);
	if (ret)
		tcp_receiver_abort(r);
	return ret;
}

void tcp_receiver_finish(struct tcp_receiver *r, int64_t max_ns, struct receiver_counts *counts)
{
	const struct timespec pause = { .tv_nsec = NSEC_PER_MSEC };
	int64_t end_ns = clock_now_ns() + max_ns;

	while (!atomic_load(&r->worker.is_done) && clock_now_ns() < end_ns)
		nanosleep(&pause, NULL);
	worker_stop(&r->worker);
	*counts = (struct receiver_counts){
		.bytes = r->bytes,
		.foreign = r->foreign,
		.span_ns = r->last_ns - r->first_ns,
		.jitter_ns = -1,
	};
	tcp_receiver_abort(r);
}

void tcp_receiver_abort(struct tcp_receiver *r)
{
	worker_stop(&r->worker);
	if (r->fd >= 0)
		close(r->fd);
	if (r->listen_fd >= 0)
		close(r->listen_fd);
	r->fd = r->listen_fd = -1;
}
