// SPDX-License-Identifier: GPL-2.0-or-later
/* Sequence tracking: a window of bitmap pages, so that no duplicate or late packet is guessed. */
#include "seq.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64u
#define PAGE_WORDS (SEQ_PAGE_NUMBERS / WORD_BITS)

struct seq_page {
	uint64_t words[PAGE_WORDS];
};

int seq_init(struct seq_tracker *t)
{
	memset(t, 0, sizeof(*t));
	t->pages = calloc(SEQ_WINDOW_PAGES, sizeof(*t->pages));
	return t->pages ? 0 : -ENOMEM;
}

void seq_free(struct seq_tracker *t)
{
	size_t i;

	for (i = 0; t->pages && i < SEQ_WINDOW_PAGES; i++)
		free(t->pages[i]);
	free(t->pages);
	t->pages = NULL;
}

static uint64_t page_index(uint64_t sequence)
{
	return sequence / SEQ_PAGE_NUMBERS;
}

static struct seq_page **slot(struct seq_tracker *t, uint64_t sequence)
{
	return &t->pages[page_index(sequence) % SEQ_WINDOW_PAGES];
}

/* Index of the page that holds the highest number; 0 before the first arrival. */
static uint64_t top_page(const struct seq_tracker *t)
{
	return t->next ? page_index(t->next - 1) : 0;
}

/* Empty the ring slots that the window gives to new pages when sequence becomes its top. */
static void advance(struct seq_tracker *t, uint64_t sequence)
{
	uint64_t index;

	for (index = top_page(t) + 1; index <= page_index(sequence); index++) {
		free(t->pages[index % SEQ_WINDOW_PAGES]);
		t->pages[index % SEQ_WINDOW_PAGES] = NULL;
	}
	t->next = sequence + 1;
}

/* Set the bit; 1 when it was set already, 0, or -ENOMEM. */
static int set_bit(struct seq_tracker *t, uint64_t sequence)
{
	struct seq_page **page = slot(t, sequence);
	uint64_t bit = sequence % SEQ_PAGE_NUMBERS;
	uint64_t mask = 1ULL << (bit % WORD_BITS);
	uint64_t *word;

	if (!*page) {
		*page = calloc(1, sizeof(**page));
		if (!*page)
			return -ENOMEM;
	}
	word = &(*page)->words[bit / WORD_BITS];
	if (*word & mask)
		return 1;
	*word |= mask;
	return 0;
}

int seq_record(struct seq_tracker *t, uint64_t sequence)
{
	bool is_late = sequence < t->next;
	int ret;

	if (page_index(sequence) >= top_page(t) + SEQ_WINDOW_PAGES) {
		t->implausible++;
		return SEQ_IMPLAUSIBLE;
	}
	if (is_late && page_index(sequence) + SEQ_WINDOW_PAGES <= top_page(t)) {
		t->duplicates++;
		return SEQ_DUPLICATE;
	}
	if (!is_late)
		advance(t, sequence);
	ret = set_bit(t, sequence);
	if (ret < 0)
		return ret;
	if (ret) {
		t->duplicates++;
		return SEQ_DUPLICATE;
	}
	t->unique++;
	t->late += is_late;
	return is_late ? SEQ_LATE : SEQ_NEW;
}

uint64_t seq_finish(struct seq_tracker *t, uint64_t sent)
{
	uint64_t oldest = 0, sequence;

	if (top_page(t) >= SEQ_WINDOW_PAGES)
		oldest = (top_page(t) - SEQ_WINDOW_PAGES + 1) * SEQ_PAGE_NUMBERS;
	for (sequence = sent > oldest ? sent : oldest; sequence < t->next; sequence++) {
		struct seq_page *page = *slot(t, sequence);
		uint64_t bit = sequence % SEQ_PAGE_NUMBERS;

		if (!page) {
			/* Nothing there; with numbers from a stranger there may be much of it. */
			sequence += SEQ_PAGE_NUMBERS - 1 - bit;
			continue;
		}
		if (!(page->words[bit / WORD_BITS] >> (bit % WORD_BITS) & 1))
			continue;
		page->words[bit / WORD_BITS] &= ~(1ULL << (bit % WORD_BITS));
		t->unique--;
		t->implausible++;
	}
	if (t->next > sent)
		t->next = sent;
	return sent - t->unique;
}
