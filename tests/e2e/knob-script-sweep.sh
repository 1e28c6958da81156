#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: tx-signal-rate sweeps any command and puts the value back on every way out; persist writes a udev rule, forget removes it
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

export TXSIG_UDEV_DIR=$work/rules
mkdir "$TXSIG_UDEV_DIR"
rule=$TXSIG_UDEV_DIR/90-txsig-ib0.rules
for shell in dash "busybox sh" bash; do
	script 0 sweep ib0 1,08,32 -- cat "$net/tx_signal_rate"
	[ "$(grep -v == "$work/out" | tr '\n' ' ')" = "1 8 32 " ] || fail "$shell: the command saw $(cat "$work/out")"
	script 2 sweep ib0 1,33 -- touch "$work/ran"
	script 2 sweep ib0 1
	script 1 sweep ib0 4,8 -- false
	[ ! -e "$work/ran" ] || fail "$shell: the command ran with a bad list"
	knob_is 3 || fail "$shell: tx_signal_rate is $(knob), was 3"
	idle || fail "$shell: the record is left"

	$shell sysfs-scripts/tx-signal-rate sweep ib0 16 -- sleep 60 >/dev/null 2>&1 &
	pid=$!
	poll 10 knob_is 16 || fail "$shell: the sweep does not begin"
	sweep --iface ib0 --rates 1 --output "$work/none" -- "${endless[@]}"
	saw 1 'another sweep of ib0 is running' || fail "$shell: ubench sweeps at the same time"
	poll 10 pgrep -P $pid -x sleep >/dev/null || fail "$shell: the command does not run"
	child=$(pgrep -P $pid -x sleep)
	kill -KILL $pid
	wait $pid 2>/dev/null || true
	kill "$child"
	script 0 restore
	knob_is 3 || fail "$shell: restore after SIGKILL left $(knob)"
	idle || fail "$shell: restore left the record"

	script 0 -n persist 8 ib0
	if knob_is 8 || [ -e "$rule" ]; then fail "$shell: a dry run changes something"; fi
	script 2 persist 33 ib0
	script 0 persist 8 ib0
	knob_is 8 || fail "$shell: persist does not set"
	grep -qx 'ACTION=="add|move", SUBSYSTEM=="net", KERNEL=="ib0", TEST=="tx_signal_rate", ATTR{tx_signal_rate}="8"' "$rule" ||
		fail "$shell: the rule is $(cat "$rule")"
	script 0 forget ib0
	[ ! -e "$rule" ] || fail "$shell: the rule is left"
	script 1 forget ib0
	script 0 set 3 ib0
done
