/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The little of IPoIB's private header that its ring code needs, for unit tests. */

#ifndef SHIM_IPOIB_H
#define SHIM_IPOIB_H

#include <linux/types.h>

#include "ipoib_tx_signal.h"

#define smp_store_release(p, v) (*(p) = (v))

struct sk_buff {
	unsigned int len;
};

struct ipoib_tx_buf {
	struct sk_buff *skb;
	unsigned int len;
};

struct net_device {
	struct {
		unsigned long tx_packets, tx_bytes;
	} stats;
};

struct ipoib_dev_priv {
	struct net_device *dev;
	struct ipoib_tx_buf *tx_ring;
	unsigned int tx_head, tx_tail;
};

extern int ipoib_sendq_size;

void ipoib_tx_retire(struct ipoib_dev_priv *priv, unsigned int n, int budget);
void ipoib_dma_unmap_tx(struct ipoib_dev_priv *priv, struct ipoib_tx_buf *tx_req);
void napi_consume_skb(struct sk_buff *skb, int budget);

#endif
