/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an interface looked like before a sweep touched it, on disk until it looks so again. */
#ifndef UBENCH_KNOB_STATE_H
#define UBENCH_KNOB_STATE_H

#include <stdbool.h>
#include <net/if.h>

#include "setting.h"

/* Twice what one sweep can change, for the record of a dead one taken over. */
enum { KNOB_STATE_SETTINGS = 4 };

struct knob_state {
	char iface[IF_NAMESIZE];
	bool patched;		/* the driver had the knob */
	long rate;		/* value of the knob, 0 if it had none */
	char hook[512];		/* command that switches the driver, "" if none */
	unsigned int n_settings;
	struct {
		struct setting what;
		char value[SETTING_VALUE_MAX];
	} settings[KNOB_STATE_SETTINGS];	/* other values that the sweep changes */
};

/* Directory of the records: $TXSIG_STATE_DIR, or /run/txsig. */
const char *knob_state_dir(void);

/*
 * Records *state as <dir>/<iface>.state, readable by sysfs-scripts/tx-signal-rate, and locks the
 * file for as long as the returned descriptor is open in any process. A record that a dead process
 * left is the truth about the time before: it is kept and copied to *state, *adopted says so.
 * Returns the descriptor (close-on-exec), -EBUSY while another process holds the lock, or -errno.
 */
int knob_state_record(const char *dir, struct knob_state *state, bool *adopted);

/* Removes the record of iface; the caller still holds its lock. Returns 0 or -errno. */
int knob_state_forget(const char *dir, const char *iface);

#endif
