// SPDX-License-Identifier: GPL-2.0-or-later
/* The record that lets an interface be repaired after its sweep was killed. */
#include "knob_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *knob_state_dir(void)
{
	const char *dir = getenv("TXSIG_STATE_DIR");

	return dir && *dir ? dir : "/run/txsig";
}

static int state_path(char *path, size_t path_len, const char *dir, const char *iface)
{
	int len = snprintf(path, path_len, "%s/%s.state", dir, iface);

	return len < (int)path_len ? 0 : -ENAMETOOLONG;
}

/* Opens and locks the file that is in the directory now, not one that was just removed. */
static int open_locked(const char *path)
{
	struct stat st;
	int fd, err;

	for (;;) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			err = errno == EWOULDBLOCK ? -EBUSY : -errno;
			close(fd);
			return err;
		}
		if (!fstat(fd, &st) && st.st_nlink > 0)
			return fd;
		close(fd);
	}
}

/* "sysfs:tx_queue_len=256"; false if it is none, or one too many. */
static bool parse_setting(char *text, struct knob_state *state)
{
	char *value = strchr(text, '=');

	if (!value || state->n_settings == KNOB_STATE_SETTINGS || strlen(value + 1) >= SETTING_VALUE_MAX)
		return false;
	*value++ = '\0';
	strcpy(state->settings[state->n_settings].value, value);
	return !setting_parse(&state->settings[state->n_settings++].what, text);
}

/* What the dead sweep did not change is as this one found it. */
static void keep_other_settings(struct knob_state *found, const struct knob_state *now)
{
	unsigned int i, j;

	for (i = 0; i < now->n_settings; i++) {
		for (j = 0; j < found->n_settings; j++)
			if (found->settings[j].what.kind == now->settings[i].what.kind &&
			    !strcmp(found->settings[j].what.name, now->settings[i].what.name))
				break;
		if (j == found->n_settings && j < KNOB_STATE_SETTINGS)
			found->settings[found->n_settings++] = now->settings[i];
	}
}

/* Parses the key=value text in place; true if it is a whole record of state->iface. */
static bool parse_record(char *text, struct knob_state *state)
{
	struct knob_state found = { .rate = -1 };
	char *line, *value, *next;
	bool complete = false;

	for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		value = strchr(line, '=');
		if (!value)
			return false;
		*value++ = '\0';
		if (!strcmp(line, "iface"))
			snprintf(found.iface, sizeof(found.iface), "%s", value);
		else if (!strcmp(line, "rate"))
			found.rate = strtol(value, NULL, 10);
		else if (!strcmp(line, "driver"))
			found.patched = !strcmp(value, "patched");
		else if (!strcmp(line, "hook"))
			snprintf(found.hook, sizeof(found.hook), "%s", value);
		else if (!strcmp(line, "set") && !parse_setting(value, &found))
			return false;
		else if (!strcmp(line, "end"))
			complete = true;
	}
	if (!complete || found.rate < 0 || strcmp(found.iface, state->iface))
		return false;
	if (!*found.hook)
		strcpy(found.hook, state->hook);
	keep_other_settings(&found, state);
	*state = found;
	return true;
}

static int write_record(int fd, const struct knob_state *state)
{
	char text[1280], name[SETTING_NAME_MAX + 16];
	unsigned int i;
	int len = snprintf(text, sizeof(text), "iface=%s\nrate=%ld\ndriver=%s\nhook=%s\npid=%d\n",
			   state->iface, state->rate, state->patched ? "patched" : "unpatched",
			   state->hook, (int)getpid());

	for (i = 0; i < state->n_settings; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len, "set=%s=%s\n",
				setting_text(&state->settings[i].what, name, sizeof(name)),
				state->settings[i].value);
	len += snprintf(text + len, sizeof(text) - (size_t)len, "end=1\n");

	if (ftruncate(fd, 0))
		return -errno;
	if (pwrite(fd, text, len, 0) != len)
		return -EIO;
	return fsync(fd) ? -errno : 0;
}

int knob_state_record(const char *dir, struct knob_state *state, bool *adopted)
{
	char path[512], text[1280];
	ssize_t len;
	int fd, err = state_path(path, sizeof(path), dir, state->iface);

	if (err)
		return err;
	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	fd = open_locked(path);
	if (fd < 0)
		return fd;
	len = pread(fd, text, sizeof(text) - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	*adopted = parse_record(text, state);
	err = write_record(fd, state);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

int knob_state_forget(const char *dir, const char *iface)
{
	char path[512];
	int err = state_path(path, sizeof(path), dir, iface);

	if (err)
		return err;
	return unlink(path) ? -errno : 0;
}
