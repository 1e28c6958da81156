// SPDX-License-Identifier: GPL-2.0-or-later
/* Ctrl-C: once ends the run early, twice ends the process. */
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cmd.h"

static volatile sig_atomic_t is_pending;
static int event_fd = -1;

static void on_signal(int sig)
{
	int saved = errno;
	uint64_t one = 1;

	(void)sig;
	if (is_pending)
		_exit(UBENCH_EXIT_INTERRUPTED);
	is_pending = 1;
	if (write(event_fd, &one, sizeof(one)) < 0)
		_exit(UBENCH_EXIT_INTERRUPTED);
	errno = saved;
}

int interrupt_init(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event_fd < 0)
		return -errno;
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	return 0;
}

bool interrupt_is_pending(void)
{
	return is_pending;
}

int interrupt_fd(void)
{
	return event_fd;
}
