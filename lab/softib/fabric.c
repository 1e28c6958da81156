// SPDX-License-Identifier: GPL-2.0-only
/* Topology: creates HCAs and switches and lays the cables, as the module's parameters say. */
#include "fabric.h"

#include "device.h"
#include "port.h"
#include "switch.h"

#include <linux/module.h>

#define SOFTIB_MAX_HCAS 16
#define SOFTIB_MAX_PORTS 2
#define SOFTIB_MAX_SUBNETS (SOFTIB_MAX_HCAS * SOFTIB_MAX_PORTS)

static unsigned int softib_hcas = 2;
module_param_named(hcas, softib_hcas, uint, 0444);
MODULE_PARM_DESC(hcas, "Number of HCAs, 1 to 16 (default 2)");

static unsigned int softib_hca_ports = 1;
module_param_named(ports, softib_hca_ports, uint, 0444);
MODULE_PARM_DESC(ports, "Ports of each HCA, 1 (default) or 2");

static unsigned int softib_subnets = 1;
module_param_named(subnets, softib_subnets, uint, 0444);
MODULE_PARM_DESC(subnets, "Subnets without a link between them that ports are dealt out to (default 1)");

static bool softib_always_switch;
module_param_named(switch, softib_always_switch, bool, 0444);
MODULE_PARM_DESC(switch, "A switch also in a subnet of one or two ports (default: a cable there)");

static struct softib_dev *softib_devices[SOFTIB_MAX_HCAS];
static struct softib_switch *softib_switches[SOFTIB_MAX_SUBNETS];

/*
 * Ports are numbered through over all HCAs and dealt out like cards, so two subnets get the two
 * ports of each HCA, or every other HCA of one port.
 */
static struct softib_port *softib_fabric_port(unsigned int subnet, unsigned int nth)
{
	unsigned int i = subnet + nth * softib_subnets;

	return &softib_devices[i / softib_hca_ports]->ports[i % softib_hca_ports];
}

static unsigned int softib_subnet_size(unsigned int subnet)
{
	return DIV_ROUND_UP(softib_hcas * softib_hca_ports - subnet, softib_subnets);
}

/* Joins a subnet's ports by a switch, or by a cable between the only two. 0 or -ENOMEM. */
static int softib_subnet_connect(unsigned int subnet)
{
	unsigned int i, size = softib_subnet_size(subnet);
	struct softib_switch *sw;

	if (size <= 2 && !softib_always_switch) {
		if (size == 2)
			softib_port_connect(softib_fabric_port(subnet, 0),
					    softib_fabric_port(subnet, 1));
		return 0;
	}
	sw = softib_switch_alloc(subnet, size);
	if (IS_ERR(sw))
		return PTR_ERR(sw);
	softib_switches[subnet] = sw;
	for (i = 0; i < size; i++)
		softib_port_connect(&sw->ports[i + 1], softib_fabric_port(subnet, i));
	return 0;
}

static bool softib_fabric_params_ok(void)
{
	return softib_hcas >= 1 && softib_hcas <= SOFTIB_MAX_HCAS && softib_hca_ports >= 1 &&
	       softib_hca_ports <= SOFTIB_MAX_PORTS && softib_subnets >= 1 &&
	       softib_subnets <= softib_hcas * softib_hca_ports;
}

/*
 * Creates what the parameters ask for, unknown to ib_core. 0, -EINVAL for parameters out of range,
 * or -ENOMEM. May sleep.
 */
int softib_fabric_alloc(void)
{
	unsigned int i;
	int err = 0;

	if (!softib_fabric_params_ok())
		return -EINVAL;
	for (i = 0; i < softib_hcas && !err; i++) {
		struct softib_dev *dev = softib_device_alloc(i, softib_hca_ports);

		if (IS_ERR(dev))
			err = PTR_ERR(dev);
		else
			softib_devices[i] = dev;
	}
	for (i = 0; i < softib_subnets && !err; i++)
		err = softib_subnet_connect(i);
	if (err)
		softib_fabric_free();
	return err;
}

/* Frees all there is; accepts a half-made fabric. No HCA is registered any more. May sleep. */
void softib_fabric_free(void)
{
	unsigned int i;

	/* A port's own packets may reach any other port. */
	for (i = 0; i < SOFTIB_MAX_HCAS; i++)
		if (softib_devices[i])
			softib_ports_quiet(softib_devices[i]);
	for (i = 0; i < SOFTIB_MAX_SUBNETS; i++)
		if (softib_switches[i])
			softib_switch_free(softib_switches[i]);
	for (i = 0; i < SOFTIB_MAX_HCAS; i++)
		if (softib_devices[i])
			softib_device_free(softib_devices[i]);
}

static void softib_unregister_first(unsigned int count)
{
	while (count--)
		softib_device_unregister(softib_devices[count]);
}

/* Makes every HCA visible to ib_core's clients, or none. 0 or -errno. May sleep. */
int softib_fabric_register(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < softib_hcas; i++) {
		err = softib_device_register(softib_devices[i]);
		if (err) {
			softib_unregister_first(i);
			return err;
		}
	}
	return 0;
}

/* Takes every HCA away from all clients. May sleep. */
void softib_fabric_unregister(void)
{
	softib_unregister_first(softib_hcas);
}
