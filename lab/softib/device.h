/* SPDX-License-Identifier: GPL-2.0-only */
/* One software HCA and its registration with ib_core. */
#ifndef SOFTIB_DEVICE_H
#define SOFTIB_DEVICE_H

#include "fault.h"

#include <linux/mutex.h>
#include <rdma/ib_verbs.h>

#define SOFTIB_MAX_QPS 4096
#define SOFTIB_MAX_WR 16384
#define SOFTIB_MAX_SGE 32
#define SOFTIB_MAX_CQE 1048576
#define SOFTIB_LOCAL_DMA_LKEY 0x50f70000

struct dentry;
struct platform_device;
struct softib_engine;
struct softib_port;
struct softib_qp_table;
struct softib_vector;

/**
 * struct softib_dev - one HCA
 * @ibdev:        what ib_core sees; first member
 * @index:        0 for softib0, and so on; decides the GUIDs
 * @parent:       platform device, so that network interfaces have a parent
 * @ports:        ibdev.phys_port_cnt ports, port n at index n - 1
 * @engine:       thread that processes the send queues, or NULL if posters do
 * @qps:          queue pairs by number
 * @vectors:      ibdev.num_comp_vectors completion vectors
 * @mcast_lock:   serialises changes of the multicast lists
 * @fault:        what tests pull
 * @drop_unicast: the fabric loses unicast data packets this HCA sends
 * @event_lock:   guards @registered, held only to queue an event
 * @registered:   ib_core takes events
 * @debugfs:      this HCA's directory
 */
struct softib_dev {
	struct ib_device ibdev;
	unsigned int index;
	struct platform_device *parent;
	struct softib_port *ports;
	struct softib_engine *engine;
	struct softib_qp_table *qps;
	struct softib_vector *vectors;
	struct mutex mcast_lock; /* see above */
	struct softib_fault fault;
	bool drop_unicast;
	spinlock_t event_lock; /* see above */
	bool registered;
	struct dentry *debugfs;
};

static inline struct softib_dev *softib_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct softib_dev, ibdev);
}

struct softib_dev *softib_device_alloc(unsigned int index, unsigned int num_ports);
void softib_device_free(struct softib_dev *dev);
int softib_device_register(struct softib_dev *dev);
void softib_device_unregister(struct softib_dev *dev);
__be64 softib_guid(unsigned int index, unsigned int port_num);
__be64 softib_switch_guid(unsigned int index);

#endif
