// SPDX-License-Identifier: GPL-2.0-or-later
/* Which buffers of MSG_ZEROCOPY sends the kernel still holds, from its notifications. Pure but for zerocopy_enable(). */
#include "zerocopy.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/errqueue.h>
#include <netinet/in.h>

int zerocopy_enable(int fd)
{
	int one = 1;

	return setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one)) ? -errno : 0;
}

int zerocopy_slot(const struct zerocopy *z)
{
	unsigned int slot = z->next % ZEROCOPY_SLOTS;

	return z->is_held[slot] ? -1 : (int)slot;
}

void zerocopy_sent(struct zerocopy *z)
{
	z->is_held[z->next % ZEROCOPY_SLOTS] = true;
	z->held++;
	z->next++;
	z->sends++;
}

static void release(struct zerocopy *z, uint32_t first, uint32_t last, bool is_copied)
{
	uint32_t number;

	/* No range is longer than what was under way. */
	if (last - first >= 2 * ZEROCOPY_SLOTS)
		return;
	for (number = first; number != last + 1; number++) {
		bool *held = &z->is_held[number % ZEROCOPY_SLOTS];

		if (number - z->next < ZEROCOPY_SLOTS) {
			/* A failed send had taken this number. */
			z->next = number + 1;
			continue;
		}
		if (!*held)
			continue;
		*held = false;
		z->held--;
		z->notified++;
		z->copied += is_copied;
	}
}

static bool is_report(const struct cmsghdr *c)
{
	return (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
	       (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR);
}

void zerocopy_take(struct zerocopy *z, struct msghdr *msg)
{
	struct sock_extended_err report;
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (!is_report(c) || c->cmsg_len < CMSG_LEN(sizeof(report)))
			continue;
		memcpy(&report, CMSG_DATA(c), sizeof(report));
		if (report.ee_errno == 0 && report.ee_origin == SO_EE_ORIGIN_ZEROCOPY)
			release(z, report.ee_info, report.ee_data,
				report.ee_code & SO_EE_CODE_ZEROCOPY_COPIED);
	}
}
