// SPDX-License-Identifier: GPL-2.0-only
/* Debugfs: one directory per HCA, with what tests turn and look at. */
#include "debugfs.h"

#include "device.h"
#include "qp.h"

#include <linux/debugfs.h>
#include <linux/seq_file.h>

static struct dentry *softib_debugfs_root;

static int qps_show(struct seq_file *file, void *unused)
{
	softib_qps_show(file->private, file);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(qps);

/* Debugfs errors are not errors of the module: its files are then missing. */
void softib_debugfs_init(void)
{
	softib_debugfs_root = debugfs_create_dir("softib", NULL);
}

void softib_debugfs_exit(void)
{
	debugfs_remove_recursive(softib_debugfs_root);
}

/* The HCA is registered, so it has its name. */
void softib_debugfs_add(struct softib_dev *dev)
{
	dev->debugfs = debugfs_create_dir(dev_name(&dev->ibdev.dev), softib_debugfs_root);
	debugfs_create_bool("drop_unicast", 0600, dev->debugfs, &dev->drop_unicast);
	debugfs_create_file("qps", 0400, dev->debugfs, dev, &qps_fops);
	softib_fault_add(dev, dev->debugfs);
}

/* Returns when nobody is inside one of the files. May sleep. */
void softib_debugfs_remove(struct softib_dev *dev)
{
	debugfs_remove_recursive(dev->debugfs);
	dev->debugfs = NULL;
}
