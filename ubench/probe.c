// SPDX-License-Identifier: GPL-2.0-or-later
/* What this host's kernel lacks for a run, asked before anything is sent. */
#include "probe.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "options.h"
#include "packet_batch.h"
#include "send_udp.h"
#include "zerocopy.h"

static const char *missing_at(int fd, const struct options *opt)
{
	/* What opt->message_bytes the kernel cuts to is checked when the run's sockets are opened. */
	if (opt->gso > 1 && send_udp_enable_gso(fd, 1))
		return "--gso: this kernel has no UDP_SEGMENT (Linux 4.18)";
	if (opt->has_zerocopy && zerocopy_enable(fd))
		return "--zerocopy: this kernel has no SO_ZEROCOPY for UDP (Linux 5.0)";
	if (opt->has_gro && opt->is_bidirectional && packet_batch_enable_gro(fd))
		return "--gro: this kernel has no UDP_GRO (Linux 5.0)";
	return NULL;
}

const char *probe_missing(const struct options *opt)
{
	const char *reason;
	int fd;

	if (opt->gso == 1 && !opt->has_zerocopy && !opt->has_gro)
		return NULL;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return "this kernel has no UDP";
	reason = missing_at(fd, opt);
	close(fd);
	return reason;
}
