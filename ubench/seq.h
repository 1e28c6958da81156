/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sequence numbers of a flow have arrived: exact under loss, reordering and duplicates. */
#ifndef UBENCH_SEQ_H
#define UBENCH_SEQ_H

#include <stdint.h>

struct seq_page;

#define SEQ_PAGE_NUMBERS 32768u	/* sequence numbers of one bitmap page (4 KiB) */
#define SEQ_WINDOW_PAGES 16384u	/* pages kept: 64 MiB, 536 million numbers back */

enum seq_verdict {
	SEQ_NEW,	/* arrived in order, or after a gap */
	SEQ_LATE,	/* its first arrival, after a higher number (RFC 4737: reordered) */
	SEQ_DUPLICATE,	/* arrived before, or too old to tell */
	SEQ_IMPLAUSIBLE	/* further ahead than the window: not a number of this flow */
};

/* One flow. Not thread-safe: belongs to the flow's receiver. */
struct seq_tracker {
	struct seq_page **pages;	/* ring of SEQ_WINDOW_PAGES, NULL: nothing arrived there */
	uint64_t next;			/* one above the highest number that arrived */
	uint64_t unique;
	uint64_t duplicates;
	uint64_t late;
	uint64_t implausible;
};

/* 0 or -ENOMEM. */
int seq_init(struct seq_tracker *t);
void seq_free(struct seq_tracker *t);

/*
 * Record one arrival. Allocates one page per SEQ_PAGE_NUMBERS numbers, none
 * otherwise. -ENOMEM, or an enum seq_verdict.
 */
int seq_record(struct seq_tracker *t, uint64_t sequence);

/*
 * The sender sent numbers 0 to sent - 1: take what arrived with a higher
 * number out of unique and call it implausible. Returns the number lost;
 * unique + lost == sent afterwards.
 */
uint64_t seq_finish(struct seq_tracker *t, uint64_t sent);

#endif
