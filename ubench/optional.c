// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests over protocols that a kernel may be without: probed, so that their absence is told and not crashed on. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd.h"

static const struct {
	const char *command, *protocol;
	int type, number;
} protocols[] = {
	{ "DCCP_STREAM", "DCCP", SOCK_DCCP, IPPROTO_DCCP },
	{ "SCTP_STREAM", "SCTP", SOCK_STREAM, IPPROTO_SCTP },
};

/* 0, or the -errno that says why this host has no such sockets. */
static int probe(int type, int number)
{
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, number);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int cmd_optional(int argc, char **argv)
{
	size_t i = 0;
	int ret;

	(void)argc;
	while (strcasecmp(argv[0], protocols[i].command))
		i++;
	ret = probe(protocols[i].type, protocols[i].number);
	if (ret)
		fprintf(stderr, "ubench %s: unsupported: this kernel has no %s: %s\n",
			protocols[i].command, protocols[i].protocol, strerror(-ret));
	else
		fprintf(stderr, "ubench %s: unsupported: this kernel has %s, this ubench does not send over it\n",
			protocols[i].command, protocols[i].protocol);
	return UBENCH_EXIT_UNSUPPORTED;
}
