#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: SIGINT, SIGTERM and SIGHUP end a sweep with 130, the knob as it was, nothing stored and no process left
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

for signal in INT TERM HUP; do
	# A job of a script ignores SIGINT unless it is told otherwise.
	env --default-signal=INT "$ubench" sweep --iface ib0 --rates 1,4 --output "$work/result" -- "${endless[@]}" \
		>"$work/out" 2>"$work/err" &
	pid=$!
	poll 10 bash -c "! grep -q 3 $net/tx_signal_rate" || fail "the sweep does not begin"
	poll 10 pgrep -P $pid -f UDP_STREAM >/dev/null || fail "no test is running"
	children=$(pgrep -P $pid | tr '\n' ' ')
	kill -$signal $pid
	status=0
	wait $pid || status=$?
	[ $status = 130 ] || fail "exit $status after SIG$signal"
	for child in $children; do
		[ ! -e "/proc/$child" ] || fail "process $child is left after SIG$signal"
	done
	[ "$(grep -c '^ubench' "$work/err")" = 1 ] || fail "not one line after SIG$signal"
	[ ! -s "$work/out" ] || fail "stdout is not empty after SIG$signal"
	nothing_left
done
