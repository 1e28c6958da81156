// SPDX-License-Identifier: GPL-2.0-only
/* Loads and unloads the module. */
#include "debugfs.h"
#include "fabric.h"

#include <linux/module.h>

static int __init softib_init(void)
{
	int err;

	softib_debugfs_init();
	err = softib_fabric_alloc();
	if (err)
		goto exit_debugfs;
	err = softib_fabric_register();
	if (err)
		goto free_fabric;
	return 0;

free_fabric:
	softib_fabric_free();
exit_debugfs:
	softib_debugfs_exit();
	return err;
}

static void __exit softib_exit(void)
{
	softib_fabric_unregister();
	softib_fabric_free();
	softib_debugfs_exit();
}

module_init(softib_init);
module_exit(softib_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Software InfiniBand HCAs on a virtual fabric");
