/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run depended on: host, kernel, CPU, interface, driver and its knobs. */
#ifndef UBENCH_ENV_H
#define UBENCH_ENV_H

struct json_t;

/*
 * A new JSON object, NULL when out of memory. interface may be "" when not
 * known; what the host does not tell is null.
 */
struct json_t *env_collect(const char *interface);

#endif
