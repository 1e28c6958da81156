// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The yardstick: the barest loop around send(), sendmmsg() or a UDP_SEGMENT send(), and a sink for packets.
 *
 * usage: bare send|mmsg|gso ADDRESS PORT BYTES PER_CALL SECONDS      prints packets per second
 *        bare count ADDRESS PORT BYTES PER_CALL PACKETS              sends so many, for instruction counts
 *        bare sink ADDRESS PORT BYTES                                receives until killed
 */
#include <arpa/inet.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MAX_CALL 1024
#define SINK_BATCH 64

static volatile sig_atomic_t is_over;
static char data[MAX_CALL * 2048];

static void on_alarm(int sig)
{
	(void)sig;
	is_over = 1;
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned long long loop_send(int fd, size_t bytes, unsigned int per_call)
{
	unsigned long long sent = 0;

	while (!is_over)
		if (send(fd, data, bytes * per_call, 0) >= 0)
			sent += per_call;
	return sent;
}

static unsigned long long loop_mmsg(int fd, size_t bytes, unsigned int per_call)
{
	static struct mmsghdr headers[MAX_CALL];
	static struct iovec iov[MAX_CALL];
	unsigned long long sent = 0;
	unsigned int i;

	for (i = 0; i < per_call; i++) {
		iov[i] = (struct iovec){ data + i * bytes, bytes };
		headers[i].msg_hdr.msg_iov = &iov[i];
		headers[i].msg_hdr.msg_iovlen = 1;
	}
	while (!is_over) {
		int n = sendmmsg(fd, headers, per_call, 0);

		if (n > 0)
			sent += (unsigned int)n;
	}
	return sent;
}

static void sink(int fd, size_t bytes)
{
	static struct mmsghdr headers[SINK_BATCH];
	static struct iovec iov[SINK_BATCH];
	unsigned int i;

	for (i = 0; i < SINK_BATCH; i++) {
		iov[i] = (struct iovec){ data + i * bytes, bytes };
		headers[i].msg_hdr.msg_iov = &iov[i];
		headers[i].msg_hdr.msg_iovlen = 1;
	}
	for (;;)
		if (recvmmsg(fd, headers, SINK_BATCH, MSG_WAITFORONE, NULL) < 0)
			return;
}

static void end_after(double seconds)
{
	struct itimerval t = { .it_value = { .tv_sec = (time_t)seconds } };

	t.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)t.it_value.tv_sec));
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &t, NULL);
}

static void run(const char *how, int fd, size_t bytes, unsigned int per_call, double amount)
{
	double start = now_s();
	unsigned long long sent;

	if (!strcmp(how, "count")) {
		for (sent = 0; sent < (unsigned long long)amount; sent++)
			if (send(fd, data, bytes, 0) < 0)
				break;
		return;
	}
	end_after(amount);
	sent = strcmp(how, "mmsg") ? loop_send(fd, bytes, per_call) : loop_mmsg(fd, bytes, per_call);
	printf("%.0f\n", (double)sent / (now_s() - start));
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), size;

	if (argc < 5 || fd < 0)
		return 2;
	inet_pton(AF_INET, argv[2], &a.sin_addr);
	a.sin_port = htons((uint16_t)atoi(argv[3]));
	size = atoi(argv[4]);
	if (!strcmp(argv[1], "sink")) {
		if (bind(fd, (struct sockaddr *)&a, sizeof(a)))
			return 1;
		sink(fd, (size_t)size);
		return 1;
	}
	if (argc < 7 || connect(fd, (struct sockaddr *)&a, sizeof(a)))
		return 1;
	if (!strcmp(argv[1], "gso") && setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)))
		return 4;
	run(argv[1], fd, (size_t)size, !strcmp(argv[1], "send") ? 1 : (unsigned int)atoi(argv[5]),
	    atof(argv[6]));
	return 0;
}
