/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value of a network interface that a sweep can vary: an attribute in sysfs, or what ethtool sets. */
#ifndef UBENCH_SETTING_H
#define UBENCH_SETTING_H

#include <stdbool.h>
#include <stddef.h>

struct knob;

enum { SETTING_NAME_MAX = 64, SETTING_VALUE_MAX = 64 };

enum setting_kind { SETTING_SYSFS, SETTING_ETHTOOL };

struct setting {
	enum setting_kind kind;
	char name[SETTING_NAME_MAX];	/* "tx_queue_len", "queues/tx-0/xps_cpus"; "tx-usecs", "ring-tx" */
};

/*
 * Parses "sysfs:NAME", a path below /sys/class/net/<interface>, or "ethtool:NAME", NAME as
 * `ethtool -C` has it, or ring-rx or ring-tx for `ethtool -G`. 0, or -EINVAL. Pure.
 */
int setting_parse(struct setting *setting, const char *text);

/* "sysfs:tx_queue_len"; returns buf. Pure. */
const char *setting_text(const struct setting *setting, char *buf, size_t buf_len);

/* What ethtool:NAME can be, separated by blanks. */
const char *setting_ethtool_names(void);

/*
 * The value in force on the interface, as text without its newline. 0, -ENOENT or -EOPNOTSUPP when the
 * interface has no such value, -EOVERFLOW for a longer one, or another -errno.
 */
int setting_read(const struct setting *setting, const struct knob *iface, char *value,
		 size_t value_len);

/* True if this process may change it: any attribute that it can write, root for ethtool's. */
bool setting_may_write(const struct setting *setting, const struct knob *iface);

/*
 * Sets the value and reads it back. 0, -EINVAL for one that is refused or is no number where one is
 * needed, -EIO when another is in force afterwards, or another -errno.
 */
int setting_write(const struct setting *setting, const struct knob *iface, const char *value);

#endif
