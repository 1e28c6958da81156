/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queueing disciplines of an interface, by netlink: which they are, and what they have dropped. */
#ifndef UBENCH_QDISC_H
#define UBENCH_QDISC_H

#include <stdint.h>

#define QDISC_KIND_BYTES 24

struct qdisc {
	char root[QDISC_KIND_BYTES];	/* "fq_codel", "noqueue", ...; "": not known */
	/*
	 * Packets that the root or the leaves have dropped, whichever is more: a
	 * packet that a leaf refuses is in the counters of its parents too, one
	 * that a leaf takes and loses is not. Wraps at 32 bits, as the kernel's.
	 */
	uint32_t drops;
};

/* Of the interface in the caller's network namespace. 0 or -errno, *q then empty. */
int qdisc_read(const char *interface, struct qdisc *q);

#endif
