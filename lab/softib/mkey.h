/* SPDX-License-Identifier: GPL-2.0-only */
/* The management key: who may change, or look at, a port. */
#ifndef SOFTIB_MKEY_H
#define SOFTIB_MKEY_H

#include <linux/types.h>

struct ib_smp;
struct softib_port;

bool softib_mkey_admits(struct softib_port *port, const struct ib_smp *smp);
bool softib_mkey_hides(const struct softib_port *port, const struct ib_smp *smp);

#endif
