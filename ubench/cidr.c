// SPDX-License-Identifier: GPL-2.0-or-later
/* Address ranges such as 10.0.0.0/8 and fd00::/8. Pure. */
#include "cidr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "addr.h"
#include "parse.h"

/* Whether the first bits of a and b agree. */
static bool agree(const unsigned char *a, const unsigned char *b, unsigned int bits)
{
	unsigned int rest = bits % 8;

	if (memcmp(a, b, bits / 8))
		return false;
	return !rest || !((a[bits / 8] ^ b[bits / 8]) >> (8 - rest));
}

static bool has_host_bits(const struct cidr *range, unsigned int width)
{
	unsigned int i;

	for (i = range->bits; i < width; i++)
		if (range->address[i / 8] & (0x80 >> i % 8))
			return true;
	return false;
}

int cidr_parse(const char *text, struct cidr *range)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	char address[INET6_ADDRSTRLEN];
	long width, bits;

	memset(range, 0, sizeof(*range));
	if (len >= sizeof(address))
		return -EINVAL;
	memcpy(address, text, len);
	address[len] = '\0';
	range->family = strchr(address, ':') ? AF_INET6 : AF_INET;
	width = bits = range->family == AF_INET6 ? 128 : 32;
	if (inet_pton(range->family, address, range->address) != 1)
		return -EINVAL;
	if (slash && parse_int(slash + 1, 0, width, &bits))
		return -EINVAL;
	range->bits = (unsigned int)bits;
	return has_host_bits(range, (unsigned int)width) ? -EINVAL : 0;
}

bool cidr_contains(const struct cidr *range, const struct addr *a)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&a->ss;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)&a->ss;

	if (a->ss.ss_family != range->family)
		return false;
	if (range->family == AF_INET6)
		return agree(range->address, v6->sin6_addr.s6_addr, range->bits);
	return agree(range->address, (const unsigned char *)&v4->sin_addr, range->bits);
}
