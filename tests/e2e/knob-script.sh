#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: tx-signal-rate lists, reads, checks and sets by the same rule as ubench, under every POSIX shell
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

mkdir "$work/sys/class/net/ib1" "$work/sys/class/net/eth0"
echo 1 >"$work/sys/class/net/ib1/tx_signal_rate"
echo 16 >"$work/sys/class/net/ib1/tx_signal_rate_max"

for shell in dash "busybox sh" bash; do
	script 0 list
	[ "$(tr -s ' ' <"$work/out")" = "ib0 3 (allowed 1..32)"$'\n'"ib1 1 (allowed 1..16)" ] || fail "$shell: list"
	script 0 get ib0
	[ "$(cat "$work/out")" = 3 ] || fail "$shell: get"
	for rate in 0 -1 33 4x ' 4' 1.5 0x4 99999999999999999999 ''; do
		script 2 set "$rate" ib0
		grep -qF "allowed are 1..32" "$work/err" || fail "$shell: the range is not named for '$rate'"
		knob_is 3 || fail "$shell: '$rate' changed the value"
	done
	script 2 set 32 --all
	knob_is 3 || fail "$shell: ib0 was set although ib1 cannot take the value"
	script 0 -n set 08 --all
	knob_is 3 || fail "$shell: a dry run sets"
	script 0 set 08 --all
	knob_is 8 || fail "$shell: set"
	script 2 set 4 ib9
	script 2 get eth0
	script 0 restore
	script 1 restore ib0
	script 2 wrong
	script 0 set 1 ib1
	script 0 set 3 ib0
done
