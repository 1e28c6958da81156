/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tx_signal_rate attribute of one network interface: find, check, read, set. */
#ifndef UBENCH_KNOB_H
#define UBENCH_KNOB_H

#include <stdbool.h>
#include <stddef.h>
#include <net/if.h>

#define KNOB_NAME "tx_signal_rate"
#define KNOB_RATE_MIN 1L

struct knob {
	char iface[IF_NAMESIZE];
	char dir[256];		/* <sysfs>/class/net/<iface> */
	char module_dir[256];	/* <sysfs>/module/ib_ipoib/parameters */
};

/*
 * Names the interface under sysfs_root ("/sys" on a host, a copy in tests). The interface need not
 * have the knob (see knob_present()). Returns 0, -EINVAL for a name that cannot be an interface,
 * -ENAMETOOLONG for a root that does not fit, -ENODEV if there is no such interface.
 */
int knob_open(struct knob *knob, const char *sysfs_root, const char *iface);

/* False while a driver change has taken the interface away. */
bool knob_iface_present(const struct knob *knob);

/* True while the driver that owns the interface offers the attribute; changes with the driver. */
bool knob_present(const struct knob *knob);

/* True if this process may set the attribute. */
bool knob_writable(const struct knob *knob);

/*
 * Largest rate the driver accepts: tx_signal_rate_max where the driver tells it, otherwise a quarter
 * of ib_ipoib's send_queue_size. Returns 0 if neither can be read (the driver alone decides).
 */
long knob_rate_max(const struct knob *knob);

/*
 * Parses a whole text as a decimal rate, without sign, blanks or trailing text. rate_max 0 means no
 * upper limit is known. Returns 0 and the rate, -EINVAL for anything else than a number, -ERANGE
 * for a number outside KNOB_RATE_MIN..rate_max. Pure.
 */
int knob_parse_rate(const char *text, long rate_max, long *rate);

/* "1..32", or "1 and above" when rate_max is 0. Pure; returns buf. */
const char *knob_range_text(long rate_max, char *buf, size_t buf_len);

/* Reads the value in force. Returns 0, -errno, or -EBADMSG if the driver's text is no rate. */
int knob_read(const struct knob *knob, long *rate);

/*
 * Sets the value and reads it back. Returns 0, -errno of the write (the driver refuses bad rates
 * with -EINVAL and keeps the old value), or -EIO if another value is in force afterwards.
 */
int knob_write(const struct knob *knob, long rate);

/* Reads another attribute of the interface ("mtu", "mode") without its newline; 0 or -errno. */
int knob_read_attr(const struct knob *knob, const char *name, char *buf, size_t buf_len);

/* Writes a line to another attribute of the interface; 0 or -errno. */
int knob_write_attr(const struct knob *knob, const char *name, const char *value);

#endif
