// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of the IPoIB series' retirement of ring slots, on the file it ships. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <ipoib_tx_ring.c>

#define SIZE 128

int ipoib_sendq_size = SIZE;

static struct net_device dev;
static struct ipoib_tx_buf ring[SIZE];
static struct ipoib_dev_priv priv = { .dev = &dev, .tx_ring = ring };
static struct sk_buff skbs[SIZE];
static unsigned int unmapped[SIZE], freed[SIZE];
static int last_budget;

/* The sender may refill slot s as soon as the tail is beyond it, so no slot may be touched from then on. */
static void assert_still_ours(unsigned int slot)
{
	assert_int_equal(((slot - priv.tx_tail) & (SIZE - 1)) < priv.tx_head - priv.tx_tail, 1);
}

void ipoib_dma_unmap_tx(struct ipoib_dev_priv *p, struct ipoib_tx_buf *tx_req)
{
	unsigned int slot = tx_req - p->tx_ring;

	assert_still_ours(slot);
	assert_int_equal(freed[slot], 0);
	unmapped[slot]++;
}

void napi_consume_skb(struct sk_buff *skb, int budget)
{
	unsigned int slot = skb - skbs;

	assert_still_ours(slot);
	assert_int_equal(unmapped[slot], 1);
	freed[slot]++;
	last_budget = budget;
}

/* Fills @n slots from @start; every third one with a copied packet if @copies. */
static void fill(unsigned int start, unsigned int n, bool copies)
{
	memset(&dev, 0, sizeof(dev));
	memset(unmapped, 0, sizeof(unmapped));
	memset(freed, 0, sizeof(freed));
	priv.tx_tail = start;
	priv.tx_head = start + n;
	for (unsigned int i = start; i != start + n; i++) {
		unsigned int slot = i % SIZE;
		bool copied = copies && i % 3 == 0;

		skbs[slot].len = 100 + slot;
		ring[slot].skb = copied ? NULL : &skbs[slot];
		ring[slot].len = copied ? 50 : 0;
	}
}

static void test_tail_is_published_after_the_last_free(void **state)
{
	(void)state;
	for (unsigned int n = 1; n <= SIZE; n++) {
		fill(0xffffffc0u, n, false);
		ipoib_tx_retire(&priv, n, 64);
		assert_int_equal(priv.tx_tail, priv.tx_head);
	}
}

static void test_each_skb_is_unmapped_and_freed_once(void **state)
{
	(void)state;
	fill(5, 40, false);
	ipoib_tx_retire(&priv, 32, 64);
	for (unsigned int slot = 0; slot < SIZE; slot++) {
		assert_int_equal(unmapped[slot], slot >= 5 && slot < 37);
		assert_int_equal(freed[slot], slot >= 5 && slot < 37);
	}
	assert_int_equal(priv.tx_tail, 37);
	assert_int_equal(last_budget, 64);
}

static void test_copied_packets_count_and_are_not_freed(void **state)
{
	unsigned long bytes = 0, packets = 0;

	(void)state;
	fill(0, 90, true);
	for (unsigned int i = 0; i < 90; i++, packets++)
		bytes += i % 3 ? 100 + i : 50;
	ipoib_tx_retire(&priv, 90, 0);
	assert_int_equal(dev.stats.tx_packets, packets);
	assert_int_equal(dev.stats.tx_bytes, bytes);
	assert_int_equal(freed[0], 0);
	assert_int_equal(freed[1], 1);
}

static void test_flush_is_no_packet(void **state)
{
	(void)state;
	fill(0, 3, false);
	ring[2].skb = NULL;
	ipoib_tx_retire(&priv, 3, 0);
	assert_int_equal(dev.stats.tx_packets, 2);
	assert_int_equal(dev.stats.tx_bytes, 100 + 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail_is_published_after_the_last_free),
		cmocka_unit_test(test_each_skb_is_unmapped_and_freed_once),
		cmocka_unit_test(test_copied_packets_count_and_are_not_freed),
		cmocka_unit_test(test_flush_is_no_packet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
