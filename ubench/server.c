// SPDX-License-Identifier: GPL-2.0-or-later
/* ubench server: accepts control connections and gives each client a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <unistd.h>

#include "addr.h"
#include "channel.h"
#include "clock.h"
#include "cmd.h"
#include "handover.h"
#include "protocol.h"
#include "sandbox.h"
#include "secret.h"
#include "server_options.h"
#include "session.h"
#include "worker.h"

/* A client that finds no room waits so long for one before it is turned away. */
#define ROOM_NS (2 * NSEC_PER_SEC)

/* Processes beyond --max-clients, for clients that may come back to their run; or are told that there is no room. */
#define VISITORS 4

struct server {
	struct server_options opt;
	struct secret key;	/* with opt.key_file */
	int fd;
	/* opt.max_clients of them, then VISITORS more. */
	struct handover_place places[SERVER_MAX_CLIENTS + VISITORS];
	int64_t full_since_ns;	/* 0: there is room, or nobody is waiting */
};

static volatile sig_atomic_t should_end;

static void on_end(int sig)
{
	(void)sig;
	should_end = 1;
}

static void on_child(int sig)
{
	(void)sig;
}

/* A listening socket, or -errno. */
static int listen_on(const struct addr *a)
{
	int fd = socket(a->ss.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int one = 1, zero = 0, ret = 0;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (a->ss.ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
	if (bind(fd, (const struct sockaddr *)&a->ss, a->len) || listen(fd, 64))
		ret = -errno;
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

static int open_listener(struct server *s)
{
	struct addr a;
	const char *why;

	if (s->opt.bind_host) {
		if (addr_resolve(s->opt.bind_host, "", s->opt.port, AF_UNSPEC, &a, 1, &why) < 0) {
			fprintf(stderr, "ubench server: cannot resolve %s: %s\n", s->opt.bind_host, why);
			return -1;
		}
		s->fd = listen_on(&a);
	} else {
		addr_any(&a, AF_INET6, s->opt.port);
		s->fd = listen_on(&a);
		if (s->fd == -EAFNOSUPPORT || s->fd == -EADDRNOTAVAIL) {
			/* A kernel without IPv6. */
			addr_any(&a, AF_INET, s->opt.port);
			s->fd = listen_on(&a);
		}
	}
	if (s->fd < 0) {
		fprintf(stderr, "ubench server: cannot listen on port %u: %s\n", s->opt.port,
			strerror(-s->fd));
		return -1;
	}
	return 0;
}

/* A free one among n from the first on, or NULL. */
static struct handover_place *free_place(struct server *s, long first, long n)
{
	long i;

	for (i = first; i < first + n; i++)
		if (!s->places[i].pid)
			return &s->places[i];
	return NULL;
}

static bool has_room(struct server *s)
{
	return free_place(s, 0, s->opt.max_clients);
}

static bool is_allowed(const struct server *s, const struct addr *peer)
{
	unsigned int i;

	for (i = 0; i < s->opt.n_allow; i++)
		if (cidr_contains(&s->opt.allow[i], peer))
			return true;
	return !s->opt.n_allow;
}

static long count_from(const struct server *s, const struct addr *peer)
{
	long i, n = 0;

	for (i = 0; i < s->opt.max_clients; i++)
		n += s->places[i].pid && addr_is_same_host(&s->places[i].peer, peer);
	return n;
}

static void vacate(struct handover_place *place)
{
	place->pid = 0;
	close(place->fd);
	place->fd = -1;
}

static void reap(struct server *s)
{
	pid_t pid;
	long i;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (i = 0; i < s->opt.max_clients + VISITORS; i++)
			if (s->places[i].pid == pid)
				vacate(&s->places[i]);
}

static void turn_away(int fd, const struct addr *peer, const char *why)
{
	char text[ADDR_TEXT_BYTES];
	struct channel ch;

	fprintf(stderr, "ubench server: %s: turned away: %s\n", addr_text(peer, text), why);
	channel_open(&ch, fd);
	/* An empty socket buffer takes the line at once: nothing to wait for. */
	(void)channel_send(&ch, protocol_error(why), clock_now_ns());
	channel_close(&ch);
}

/* In the new process. */
static _Noreturn void serve(struct server *s, const struct session_config *config,
			    const sigset_t *signals)
{
	int ret;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, signals, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(s->fd);
	worker_init();
	ret = s->opt.has_sandbox ? sandbox_enter(s->opt.max_memory_bytes) : 0;
	if (ret) {
		fprintf(stderr, "ubench server: no sandbox: %s\n", strerror(-ret));
		_exit(UBENCH_EXIT_FAILED);
	}
	exit(session_run(config));
}

/* Give the client on fd a process of its own in this place. */
static void start_session(struct server *s, struct handover_place *place, int fd,
			  const char *no_room, const sigset_t *signals)
{
	struct session_config config = {
		.fd = fd, .key = s->opt.key_file ? &s->key : NULL,
		.max_seconds = s->opt.max_seconds,
		.max_bits_per_second = s->opt.max_bits_per_second,
		.token = place->token, .places = s->places,
		.n_places = (size_t)s->opt.max_clients + VISITORS, .no_room = no_room,
	};
	int ret = handover_prepare(place, &config.handover_fd);

	if (!ret) {
		place->pid = fork();
		if (!place->pid)
			serve(s, &config, signals);
		if (place->pid < 0) {
			ret = -errno;
			vacate(place);
		}
		close(config.handover_fd);
	}
	if (ret)
		fprintf(stderr, "ubench server: cannot start a process: %s\n", strerror(-ret));
}

static void accept_one(struct server *s, const sigset_t *signals)
{
	struct handover_place *place = free_place(s, 0, s->opt.max_clients);
	struct addr peer = { .len = sizeof(peer.ss) };
	const char *no_room = place ? NULL : "busy, try again later";
	int fd;

	fd = accept4(s->fd, (struct sockaddr *)&peer.ss, &peer.len, SOCK_CLOEXEC | SOCK_NONBLOCK);
	s->full_since_ns = 0;
	if (fd < 0)
		return;
	addr_unmap(&peer);
	if (!no_room && count_from(s, &peer) >= s->opt.max_per_address)
		no_room = "too many clients from this address";
	if (no_room)
		place = free_place(s, s->opt.max_clients, VISITORS);
	if (!is_allowed(s, &peer)) {
		turn_away(fd, &peer, "not an address that this server allows");
		return;
	}
	if (!place) {
		turn_away(fd, &peer, no_room);
		return;
	}
	place->peer = peer;
	start_session(s, place, fd, no_room, signals);
	close(fd);
}

/*
 * Wait for a client and for room. While there is none the client waits in
 * the listen queue, so that one that follows a finished run is not refused.
 */
static void serve_next(struct server *s, const sigset_t *signals)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	struct timespec left = clock_left(clock_now_ns() + ROOM_NS);
	int n;

	reap(s);
	if (s->full_since_ns && !has_room(s)) {
		p.events = 0;
		left = clock_left(s->full_since_ns + ROOM_NS);
		n = ppoll(&p, 1, &left, signals);
		if (!n)
			accept_one(s, signals);
		return;
	}
	n = ppoll(&p, 1, NULL, signals);
	if (n <= 0)
		return;
	reap(s);
	if (has_room(s))
		accept_one(s, signals);
	else
		s->full_since_ns = clock_now_ns();
}

static void end_clients(struct server *s)
{
	long i;

	for (i = 0; i < s->opt.max_clients + VISITORS; i++)
		if (s->places[i].pid)
			kill(s->places[i].pid, SIGTERM);
	while (wait(NULL) > 0)
		;
}

/* Key, socket, then nothing that needs root any more. 0 or -1, said on stderr. */
static int prepare(struct server *s)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < sizeof(s->places) / sizeof(*s->places); i++)
		s->places[i].fd = -1;
	if (s->opt.key_file)
		ret = secret_read(s->opt.key_file, &s->key);
	if (ret) {
		fprintf(stderr, "ubench server: key file %s: %s\n", s->opt.key_file,
			secret_reason(ret));
		return -1;
	}
	if (open_listener(s))
		return -1;
	ret = s->opt.has_sandbox ? sandbox_drop_privileges() : 0;
	if (ret)
		fprintf(stderr, "ubench server: cannot drop privileges: %s\n", strerror(-ret));
	return ret ? -1 : 0;
}

int cmd_server(int argc, char **argv)
{
	static struct server s;
	struct sigaction end = { .sa_handler = on_end }, child = { .sa_handler = on_child };
	sigset_t blocked, before;
	int ret;

	ret = server_options_parse(&s.opt, argc, argv);
	if (ret >= 0)
		return ret;
	if (prepare(&s))
		return UBENCH_EXIT_FAILED;
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGCHLD, &child, NULL);
	/* Delivered inside ppoll() only, so that none is missed before it. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	fprintf(stderr, "ubench server: listening on port %u\n", s.opt.port);
	while (!should_end)
		serve_next(&s, &before);
	end_clients(&s);
	close(s.fd);
	return UBENCH_EXIT_OK;
}
