/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as users write them. Every function refuses trailing text and what does not fit. */
#ifndef UBENCH_PARSE_H
#define UBENCH_PARSE_H

#include <stddef.h>
#include <stdint.h>

/* A count or size; netperf's suffixes: k m g are powers of 1000, K M G powers of 1024. 0 or -EINVAL. */
int parse_size(const char *text, uint64_t *value);

/* An integer within [min, max], no suffix. 0 or -EINVAL. */
int parse_int(const char *text, long min, long max, long *value);

/* Seconds, with a fraction, above 0 and below ten years. 0 or -EINVAL. */
int parse_seconds(const char *text, double *seconds);

/*
 * netperf's -l: "10" is seconds, "-1000" or "-1k" a number of packets. Sets
 * one of the two and zeroes the other; "0" sets neither: no limit. 0 or -EINVAL.
 */
int parse_limit(const char *text, double *seconds, uint64_t *packets);

/*
 * netperf's pairs: "a,b" both, "a" the same for both, "a," and ",b" one,
 * leaving the other untouched. Each within [min, max]. 0 or -EINVAL.
 */
int parse_pair(const char *text, long min, long max, long *first, long *second);

/*
 * "host%device" into its halves; device becomes "" when absent. 0, -EINVAL
 * for an empty host or device, -ENAMETOOLONG.
 */
int parse_host(const char *text, char *host, size_t host_size, char *device, size_t device_size);

#endif
