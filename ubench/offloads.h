/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The offloads of an interface, as `ethtool -k` lists them. */
#ifndef UBENCH_OFFLOADS_H
#define UBENCH_OFFLOADS_H

struct json_t;

/* Names of those that are on, a new array; null where the driver does not say. */
struct json_t *offloads_collect(const char *interface);

#endif
