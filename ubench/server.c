// SPDX-License-Identifier: GPL-2.0-or-later
/* ubench server: accepts control connections and gives each client a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
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
#include "parse.h"
#include "protocol.h"
#include "session.h"
#include "worker.h"

#define MAX_CLIENTS 64
/* A client that finds no room waits so long for one before it is turned away. */
#define ROOM_NS (2 * NSEC_PER_SEC)

struct server {
	const char *bind_host;	/* NULL: every address */
	uint16_t port;
	long max_clients;
	int fd;
	pid_t clients[MAX_CLIENTS];	/* 0: free */
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

static const char help[] =
	"usage: ubench server [options]\n"
	"Receive for the tests of other hosts. Results go to stdout, trouble to stderr.\n\n"
	"  --bind ADDRESS     listen on this address only (default: all, IPv6 and IPv4)\n"
	"  --port N           port of the control connection (default 12866)\n"
	"  --max-clients N    serve at most N at once, 1 to 64 (default 16)\n"
	"  --help             this text\n";

static int parse_options(struct server *s, int argc, char **argv)
{
	static const struct option options[] = {
		{ "bind", required_argument, NULL, 'b' },
		{ "port", required_argument, NULL, 'p' },
		{ "max-clients", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	long value = 0;
	int c, bad;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:b:p:h", options, NULL)) != -1) {
		bad = 0;
		if (c == 'h') {
			fputs(help, stdout);
			return UBENCH_EXIT_OK;
		} else if (c == 'b') {
			s->bind_host = optarg;
		} else if (c == 'p') {
			bad = parse_int(optarg, 1, 65535, &value);
			s->port = (uint16_t)value;
		} else if (c == 'c') {
			bad = parse_int(optarg, 1, MAX_CLIENTS, &s->max_clients);
		} else {
			bad = -EINVAL;
		}
		if (bad) {
			fprintf(stderr, "ubench server: bad option or value: %s; see --help\n",
				argv[optind - 1]);
			return UBENCH_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "ubench server: unexpected argument: %s; see --help\n",
			argv[optind]);
		return UBENCH_EXIT_USAGE;
	}
	return -1;
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

	if (s->bind_host) {
		if (addr_resolve(s->bind_host, "", s->port, AF_UNSPEC, &a, 1, &why) < 0) {
			fprintf(stderr, "ubench server: cannot resolve %s: %s\n", s->bind_host, why);
			return -1;
		}
		s->fd = listen_on(&a);
	} else {
		addr_any(&a, AF_INET6, s->port);
		s->fd = listen_on(&a);
		if (s->fd == -EAFNOSUPPORT || s->fd == -EADDRNOTAVAIL) {
			/* A kernel without IPv6. */
			addr_any(&a, AF_INET, s->port);
			s->fd = listen_on(&a);
		}
	}
	if (s->fd < 0) {
		fprintf(stderr, "ubench server: cannot listen on port %u: %s\n", s->port,
			strerror(-s->fd));
		return -1;
	}
	return 0;
}

static pid_t *free_slot(struct server *s)
{
	long i;

	for (i = 0; i < s->max_clients; i++)
		if (!s->clients[i])
			return &s->clients[i];
	return NULL;
}

static void reap(struct server *s)
{
	pid_t pid;
	long i;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (i = 0; i < s->max_clients; i++)
			if (s->clients[i] == pid)
				s->clients[i] = 0;
}

static void turn_away(int fd)
{
	struct channel ch;

	channel_open(&ch, fd);
	/* An empty socket buffer takes the line at once: nothing to wait for. */
	(void)channel_send(&ch, protocol_error("busy, try again later"), clock_now_ns());
	channel_close(&ch);
}

/* In the new process. */
static _Noreturn void serve(struct server *s, int fd, const sigset_t *signals)
{
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, signals, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(s->fd);
	worker_init();
	_exit(session_run(fd));
}

static void accept_one(struct server *s, const sigset_t *signals)
{
	pid_t *slot = free_slot(s);
	int fd;

	fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	s->full_since_ns = 0;
	if (fd < 0)
		return;
	if (!slot) {
		turn_away(fd);
		return;
	}
	*slot = fork();
	if (!*slot)
		serve(s, fd, signals);
	if (*slot < 0) {
		fprintf(stderr, "ubench server: cannot start a process: %s\n", strerror(errno));
		*slot = 0;
	}
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
	if (s->full_since_ns && !free_slot(s)) {
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
	if (free_slot(s))
		accept_one(s, signals);
	else
		s->full_since_ns = clock_now_ns();
}

static void end_clients(struct server *s)
{
	long i;

	for (i = 0; i < s->max_clients; i++)
		if (s->clients[i])
			kill(s->clients[i], SIGTERM);
	while (wait(NULL) > 0)
		;
}

int cmd_server(int argc, char **argv)
{
	static struct server s = { .port = CHANNEL_PORT, .max_clients = 16 };
	struct sigaction end = { .sa_handler = on_end }, child = { .sa_handler = on_child };
	sigset_t blocked, before;
	int ret;

	ret = parse_options(&s, argc, argv);
	if (ret >= 0)
		return ret;
	if (open_listener(&s))
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
	fprintf(stderr, "ubench server: listening on port %u\n", s.port);
	while (!should_end)
		serve_next(&s, &before);
	end_clients(&s);
	close(s.fd);
	return UBENCH_EXIT_OK;
}
