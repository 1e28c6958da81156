/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this host's kernel lacks for a run, asked before anything is sent. */
#ifndef UBENCH_PROBE_H
#define UBENCH_PROBE_H

struct options;

/* The reason why this kernel cannot do what opt asks for, or NULL. */
const char *probe_missing(const struct options *opt);

#endif
