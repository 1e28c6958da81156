// SPDX-License-Identifier: GPL-2.0-or-later
/* One place that knows where tx_signal_rate lives and which values it takes. */
#include "knob.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool iface_name_is_valid(const char *iface)
{
	size_t len = strlen(iface);

	return len > 0 && len < IF_NAMESIZE && !strchr(iface, '/') && strcmp(iface, ".") &&
	       strcmp(iface, "..");
}

int knob_open(struct knob *knob, const char *sysfs_root, const char *iface)
{
	int len;

	if (!iface_name_is_valid(iface))
		return -EINVAL;
	strcpy(knob->iface, iface);
	len = snprintf(knob->dir, sizeof(knob->dir), "%s/class/net/%s", sysfs_root, iface);
	if (len >= (int)sizeof(knob->dir))
		return -ENAMETOOLONG;
	len = snprintf(knob->module_dir, sizeof(knob->module_dir), "%s/module/ib_ipoib/parameters",
		       sysfs_root);
	if (len >= (int)sizeof(knob->module_dir))
		return -ENAMETOOLONG;
	return knob_iface_present(knob) ? 0 : -ENODEV;
}

bool knob_iface_present(const struct knob *knob)
{
	return !access(knob->dir, F_OK);
}

static int join(char *path, size_t path_len, const char *dir, const char *name)
{
	return snprintf(path, path_len, "%s/%s", dir, name) < (int)path_len ? 0 : -ENAMETOOLONG;
}

static bool may(const struct knob *knob, int mode)
{
	char path[320];

	return !join(path, sizeof(path), knob->dir, KNOB_NAME) && !access(path, mode);
}

bool knob_present(const struct knob *knob)
{
	return may(knob, F_OK);
}

bool knob_writable(const struct knob *knob)
{
	return may(knob, W_OK);
}

static int read_line(const char *dir, const char *name, char *buf, size_t buf_len)
{
	char path[320];
	ssize_t len;
	int fd, err = join(path, sizeof(path), dir, name);

	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, buf, buf_len - 1);
	err = len < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

int knob_read_attr(const struct knob *knob, const char *name, char *buf, size_t buf_len)
{
	return read_line(knob->dir, name, buf, buf_len);
}

int knob_parse_rate(const char *text, long rate_max, long *rate)
{
	char *end;
	long value;

	if (!isdigit((unsigned char)text[0])) {
		value = strtol(text, &end, 10);
		return end != text && !*end && value < KNOB_RATE_MIN ? -ERANGE : -EINVAL;
	}
	errno = 0;
	value = strtol(text, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno || value < KNOB_RATE_MIN || (rate_max && value > rate_max))
		return -ERANGE;
	*rate = value;
	return 0;
}

const char *knob_range_text(long rate_max, char *buf, size_t buf_len)
{
	if (rate_max)
		snprintf(buf, buf_len, "%ld..%ld", KNOB_RATE_MIN, rate_max);
	else
		snprintf(buf, buf_len, "%ld and above", KNOB_RATE_MIN);
	return buf;
}

long knob_rate_max(const struct knob *knob)
{
	char text[32];
	long value;

	if (!read_line(knob->dir, KNOB_NAME "_max", text, sizeof(text)) &&
	    !knob_parse_rate(text, 0, &value))
		return value;
	if (!read_line(knob->module_dir, "send_queue_size", text, sizeof(text)) &&
	    !knob_parse_rate(text, 0, &value))
		return value / 4;
	return 0;
}

int knob_read(const struct knob *knob, long *rate)
{
	char text[32];
	int err = read_line(knob->dir, KNOB_NAME, text, sizeof(text));

	if (err)
		return err;
	return knob_parse_rate(text, 0, rate) ? -EBADMSG : 0;
}

int knob_write_attr(const struct knob *knob, const char *name, const char *value)
{
	char path[320], text[128];
	ssize_t written;
	int fd, len, err = join(path, sizeof(path), knob->dir, name);

	if (err)
		return err;
	len = snprintf(text, sizeof(text), "%s\n", value);
	if (len >= (int)sizeof(text))
		return -EINVAL;
	/* O_TRUNC means nothing to sysfs; a plain file in a test must not keep old digits. */
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	written = write(fd, text, (size_t)len);
	err = written == len ? 0 : written < 0 ? -errno : -EIO;
	close(fd);
	return err;
}

int knob_write(const struct knob *knob, long rate)
{
	char text[32];
	long in_force;
	int err;

	snprintf(text, sizeof(text), "%ld", rate);
	err = knob_write_attr(knob, KNOB_NAME, text);
	if (!err)
		err = knob_read(knob, &in_force);
	if (!err && in_force != rate)
		err = -EIO;
	return err;
}
