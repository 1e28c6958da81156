// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the module: creates the HCAs, cables them, registers them. */
#include "debugfs.h"
#include "device.h"
#include "port.h"

#include <linux/module.h>

#define SOFTIB_MAX_HCAS 2

static unsigned int softib_hcas = 2;
module_param_named(hcas, softib_hcas, uint, 0444);
MODULE_PARM_DESC(hcas, "Number of HCAs: 1 (no cable) or 2 (back to back, the default)");

static struct softib_dev *softib_devices[SOFTIB_MAX_HCAS];

static void softib_free_all(unsigned int count)
{
	while (count--)
		softib_device_free(softib_devices[count]);
}

static void softib_unregister_all(unsigned int count)
{
	while (count--)
		softib_device_unregister(softib_devices[count]);
}

static int softib_alloc_all(void)
{
	unsigned int i;

	for (i = 0; i < softib_hcas; i++) {
		struct softib_dev *dev = softib_device_alloc(i, 1);

		if (IS_ERR(dev)) {
			softib_free_all(i);
			return PTR_ERR(dev);
		}
		softib_devices[i] = dev;
	}
	return 0;
}

static int softib_register_all(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < softib_hcas; i++) {
		err = softib_device_register(softib_devices[i]);
		if (err) {
			softib_unregister_all(i);
			return err;
		}
	}
	return 0;
}

static int __init softib_init(void)
{
	int err;

	if (softib_hcas < 1 || softib_hcas > SOFTIB_MAX_HCAS)
		return -EINVAL;

	softib_debugfs_init();
	err = softib_alloc_all();
	if (err)
		goto exit_debugfs;
	if (softib_hcas == 2)
		softib_port_connect(&softib_devices[0]->ports[0], &softib_devices[1]->ports[0]);
	err = softib_register_all();
	if (err)
		goto free_all;
	return 0;

free_all:
	softib_free_all(softib_hcas);
exit_debugfs:
	softib_debugfs_exit();
	return err;
}

static void __exit softib_exit(void)
{
	softib_unregister_all(softib_hcas);
	softib_free_all(softib_hcas);
	softib_debugfs_exit();
}

module_init(softib_init);
module_exit(softib_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Software InfiniBand HCAs on a virtual fabric");
