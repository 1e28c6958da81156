/* SPDX-License-Identifier: GPL-2.0-only */
/* Knobs and tables under /sys/kernel/debug/softib/. */
#ifndef SOFTIB_DEBUGFS_H
#define SOFTIB_DEBUGFS_H

struct softib_dev;

void softib_debugfs_init(void);
void softib_debugfs_exit(void);
void softib_debugfs_add(struct softib_dev *dev);
void softib_debugfs_remove(struct softib_dev *dev);

#endif
