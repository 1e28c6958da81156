/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sending end of a run, at whichever host: the senders of all flows, and their account. */
#ifndef UBENCH_SENDING_H
#define UBENCH_SENDING_H

#include <net/if.h>

#include "drops.h"
#include "result.h"

struct protocol_end;
struct sender;

struct sending {
	struct sender *senders;		/* n of them; their descriptors are owned */
	unsigned int n;
	char interface[IF_NAMESIZE];	/* that the data leaves by, or "" */
	struct drops drops_at_start;
};

/* Room for the senders of n flows, without descriptors yet. 0 or -ENOMEM. */
int sending_alloc(struct sending *s, unsigned int n);

/* Find out the interface by a connected socket, and let the threads run near it. */
void sending_place(struct sending *s, int fd, const char *device);

/* Count drops at the interface from now on, and start all threads. 0 or -errno; sending_stop() in any case. */
int sending_start(struct sending *s);

/* Forget the drops of before, those of a warm-up. Before the first packet that counts, or its loss would have no cause. */
void sending_mark_drops(struct sending *s);

/* End all threads, and wait for it. Also when they never started. */
void sending_stop(struct sending *s);

/* What all flows have sent so far; seconds stay 0. */
struct result_sent sending_total(const struct sending *s);

/* After sending_stop(): what each flow sent, and what the interface dropped. */
void sending_collect(const struct sending *s, struct protocol_end *end);

/* Close and free; s is empty then. */
void sending_free(struct sending *s);

#endif
