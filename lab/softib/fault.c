// SPDX-License-Identifier: GPL-2.0-only
/* The debugfs files that pull faults: see the README for what each does. */
#include "fault.h"

#include "device.h"
#include "port.h"
#include "qp.h"

#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define SOFTIB_FAULT_WORD 32

/* Reads one word of user text. 0 or -errno. */
static int softib_fault_word(char *word, const char __user *text, size_t len)
{
	if (len >= SOFTIB_FAULT_WORD)
		return -EINVAL;
	if (copy_from_user(word, text, len))
		return -EFAULT;
	word[len] = 0;
	strim(word);
	return 0;
}

static int softib_stall_get(void *data, u64 *value)
{
	struct softib_dev *dev = data;

	*value = READ_ONCE(dev->fault.stall_send);
	return 0;
}

static int softib_stall_set(void *data, u64 value)
{
	struct softib_dev *dev = data;

	if (value > 1)
		return -EINVAL;
	WRITE_ONCE(dev->fault.stall_send, value);
	if (!value)
		softib_qps_kick(dev);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(softib_stall_fops, softib_stall_get, softib_stall_set, "%llu\n");

static int link_show(struct seq_file *file, void *unused)
{
	struct softib_port *port = file->private;

	seq_puts(file,
		 READ_ONCE(port->phys_state) == IB_PORT_PHYS_STATE_LINK_UP ? "up\n" : "down\n");
	return 0;
}

static int link_open(struct inode *inode, struct file *file)
{
	return single_open(file, link_show, inode->i_private);
}

/*
 * "down" pulls the cable, "up" plugs it in again: the link trains to INIT and waits for a subnet
 * manager.
 */
static ssize_t link_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	struct softib_port *port = ((struct seq_file *)file->private_data)->private;
	char word[SOFTIB_FAULT_WORD];
	int err = softib_fault_word(word, text, len);

	if (err)
		return err;
	if (!strcmp(word, "down"))
		softib_port_link_down(port, IB_PORT_PHYS_STATE_DISABLED);
	else if (!strcmp(word, "up"))
		softib_port_link_enable(port);
	else
		return -EINVAL;
	return len;
}

static const struct file_operations softib_link_fops = {
	.owner = THIS_MODULE,
	.open = link_open,
	.read = seq_read,
	.write = link_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct {
	const char *name;
	enum ib_event_type type;
} softib_events[] = {
	{ "client_reregister", IB_EVENT_CLIENT_REREGISTER },
	{ "gid_change", IB_EVENT_GID_CHANGE },
	{ "lid_change", IB_EVENT_LID_CHANGE },
	{ "pkey_change", IB_EVENT_PKEY_CHANGE },
	{ "port_active", IB_EVENT_PORT_ACTIVE },
	{ "port_err", IB_EVENT_PORT_ERR },
	{ "sm_change", IB_EVENT_SM_CHANGE },
};

/* Dispatches an event without the change it tells of. */
static ssize_t event_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	char word[SOFTIB_FAULT_WORD];
	int i, err = softib_fault_word(word, text, len);

	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(softib_events); i++) {
		if (!strcmp(word, softib_events[i].name)) {
			softib_port_event(file->private_data, softib_events[i].type);
			return len;
		}
	}
	return -EINVAL;
}

static const struct file_operations softib_event_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = event_write,
};

/*
 * Creates the fault files of an HCA in its debugfs directory @dir, which the caller removes. May
 * sleep.
 */
void softib_fault_add(struct softib_dev *dev, struct dentry *dir)
{
	struct softib_fault *fault = &dev->fault;
	u32 i;

	debugfs_create_atomic_t("fail_post_nth", 0600, dir, &fault->fail_post_nth);
	debugfs_create_atomic_t("fail_send_nth", 0600, dir, &fault->fail_send_nth);
	debugfs_create_u32("delay_send_us", 0600, dir, &fault->delay_send_us);
	debugfs_create_u32("delay_recv_us", 0600, dir, &fault->delay_recv_us);
	debugfs_create_file("stall_send", 0600, dir, dev, &softib_stall_fops);
	for (i = 0; i < dev->ibdev.phys_port_cnt; i++) {
		struct dentry *port_dir;
		char name[SOFTIB_FAULT_WORD];

		snprintf(name, sizeof(name), "port%u", i + 1);
		port_dir = debugfs_create_dir(name, dir);
		debugfs_create_file("link", 0600, port_dir, &dev->ports[i], &softib_link_fops);
		debugfs_create_file("event", 0200, port_dir, &dev->ports[i], &softib_event_fops);
	}
}
