/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address ranges such as 10.0.0.0/8 and fd00::/8. Pure. */
#ifndef UBENCH_CIDR_H
#define UBENCH_CIDR_H

#include <stdbool.h>

struct addr;

struct cidr {
	int family;
	unsigned int bits;	/* of the prefix */
	unsigned char address[16];
};

/* An address with or without "/bits"; bits of it beyond the prefix must be 0. 0 or -EINVAL. */
int cidr_parse(const char *text, struct cidr *range);

/* IPv4 addresses in IPv6's clothes must have been unmapped. */
bool cidr_contains(const struct cidr *range, const struct addr *a);

#endif
