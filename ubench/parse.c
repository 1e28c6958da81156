// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as users write them; pure, so that the tests and the fuzzer run this very file. */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t suffix_factor(char c)
{
	switch (c) {
	case 'k': return 1000;
	case 'm': return 1000000;
	case 'g': return 1000000000;
	case 'K': return 1ULL << 10;
	case 'M': return 1ULL << 20;
	case 'G': return 1ULL << 30;
	}
	return 0;
}

int parse_size(const char *text, uint64_t *value)
{
	unsigned long long n;
	uint64_t factor = 1;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno)
		return -EINVAL;
	if (*end) {
		factor = suffix_factor(*end);
		if (!factor || end[1])
			return -EINVAL;
	}
	if (n > INT64_MAX / factor)
		return -EINVAL;
	*value = n * factor;
	return 0;
}

int parse_int(const char *text, long min, long max, long *value)
{
	char *end;
	long n;

	if (!isdigit((unsigned char)text[*text == '-']))
		return -EINVAL;
	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || *end || n < min || n > max)
		return -EINVAL;
	*value = n;
	return 0;
}

int parse_seconds(const char *text, double *seconds)
{
	char *end;
	double s;

	if (text[strspn(text, "0123456789.")])
		return -EINVAL;
	s = strtod(text, &end);
	if (end == text || *end || !(s >= 1e-9) || s > 315360000)
		return -EINVAL;
	*seconds = s;
	return 0;
}

int parse_limit(const char *text, double *seconds, uint64_t *packets)
{
	uint64_t n;
	double s;

	if (*text == '-') {
		if (parse_size(text + 1, &n) || !n)
			return -EINVAL;
		*packets = n;
		*seconds = 0;
		return 0;
	}
	if (!strcmp(text, "0"))
		s = 0;
	else if (parse_seconds(text, &s))
		return -EINVAL;
	*seconds = s;
	*packets = 0;
	return 0;
}

int parse_pair(const char *text, long min, long max, long *first, long *second)
{
	const char *comma = strchr(text, ',');
	char head[32];
	long value;

	if (!comma) {
		if (parse_int(text, min, max, &value))
			return -EINVAL;
		*first = *second = value;
		return 0;
	}
	if ((size_t)(comma - text) >= sizeof(head) || (comma == text && !comma[1]))
		return -EINVAL;
	memcpy(head, text, (size_t)(comma - text));
	head[comma - text] = '\0';
	if (*head && parse_int(head, min, max, first))
		return -EINVAL;
	if (comma[1] && parse_int(comma + 1, min, max, second))
		return -EINVAL;
	return 0;
}

int parse_host(const char *text, char *host, size_t host_size, char *device, size_t device_size)
{
	const char *percent = strchr(text, '%');
	size_t len = percent ? (size_t)(percent - text) : strlen(text);

	if (!len || (percent && !percent[1]))
		return -EINVAL;
	if (len >= host_size || (percent && strlen(percent + 1) >= device_size))
		return -ENAMETOOLONG;
	memcpy(host, text, len);
	host[len] = '\0';
	strcpy(device, percent ? percent + 1 : "");
	return 0;
}
