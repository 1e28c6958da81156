// SPDX-License-Identifier: GPL-2.0-only
/* M_Key protection (IBA volume 1, section 14.2.4). */
#include "mkey.h"

#include "port.h"
#include "trap.h"

#include <linux/jiffies.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>

static bool softib_mkey_fits(const struct softib_port *port, const struct ib_smp *smp)
{
	return !port->mkey || port->mkey == smp->mkey;
}

/* A lease nobody renewed ends the protection. Caller holds the port lock. */
static void softib_mkey_expire(struct softib_port *port)
{
	if (port->mkey_lease_runs && time_after(jiffies, port->mkey_lease_end)) {
		port->mkey_lease_runs = false;
		port->mkey_protect = 0;
	}
}

/* Somebody without the key starts the lease, unless it is for ever. Caller holds the port lock. */
static void softib_mkey_violated(struct softib_port *port, const struct ib_smp *smp)
{
	if (!port->mkey_lease_runs && port->mkey_lease) {
		port->mkey_lease_runs = true;
		port->mkey_lease_end = jiffies + port->mkey_lease * HZ;
	}
	softib_trap_bad_mkey(port, smp);
}

/**
 * softib_mkey_admits() - may this Get or Set be answered?
 * @port: the end port whose key counts
 * @smp:  the request
 *
 * A refused one is counted and reported, and starts the lease; the right key stops it. Any context,
 * no port lock held.
 */
bool softib_mkey_admits(struct softib_port *port, const struct ib_smp *smp)
{
	unsigned long flags;
	bool admits;

	spin_lock_irqsave(&port->lock, flags);
	softib_mkey_expire(port);
	if (softib_mkey_fits(port, smp)) {
		port->mkey_lease_runs = false;
		admits = true;
	} else {
		admits = smp->method == IB_MGMT_METHOD_GET && port->mkey_protect < 2;
		if (!admits)
			softib_mkey_violated(port, smp);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return admits;
}

/* Does a Get of PortInfo without the key see 0 in its place? Caller holds the port lock. */
bool softib_mkey_hides(const struct softib_port *port, const struct ib_smp *smp)
{
	return port->mkey_protect && !softib_mkey_fits(port, smp);
}
