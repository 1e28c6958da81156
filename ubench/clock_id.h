/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CLOCK_MONOTONIC a process reads: two with the same name may compare their times. */
#ifndef UBENCH_CLOCK_ID_H
#define UBENCH_CLOCK_ID_H

#define CLOCK_ID_BYTES 80

/* The kernel's boot and the process's time namespace into buf; "" when the system does not say. */
void clock_id(char buf[CLOCK_ID_BYTES]);

#endif
