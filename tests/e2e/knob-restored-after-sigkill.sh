#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: the knob comes back after SIGKILL of the sweep; when the guard dies too, tx-signal-rate restore or the next sweep mends it
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

# begin_endless: a sweep in the background that has set the knob and runs its test
begin_endless() {
	"$ubench" sweep --iface ib0 --rates 16 --output "$work/result$1" -- "${endless[@]}" >"$work/out" 2>"$work/err" &
	pid=$!
	poll 10 knob_is 16 || fail "the sweep does not begin"
	poll 10 pgrep -P $pid -f UDP_STREAM >/dev/null || fail "no test is running"
	child=$(pgrep -P $pid -f UDP_STREAM)
	guard=$(pgrep -P $pid -x ubench-guard)
}
child_gone() { [ ! -e "/proc/$child" ]; }

begin_endless 1
sweep --iface ib0 --rates 1 --output "$work/second" -- "${endless[@]}"
saw 1 'another sweep of ib0 is running' || fail "two sweeps of one interface"
if sysfs-scripts/tx-signal-rate restore ib0 2>/dev/null; then fail "restore interferes with a running sweep"; fi
kill -KILL $pid
wait $pid 2>/dev/null || true
poll 10 knob_is 3 || fail "not restored after SIGKILL: $(knob)"
poll 10 idle || fail "the record is left"
poll 10 child_gone || fail "the test runs on"

begin_endless 2
kill -KILL "$guard" $pid
wait $pid 2>/dev/null || true
poll 10 child_gone || fail "the test runs on"
knob_is 16 || fail "who restored it?"
idle && fail "no record is left"
sysfs-scripts/tx-signal-rate restore >"$work/out" || fail "restore failed"
knob_is 3 || fail "restore left $(knob)"
idle || fail "restore left the record"

begin_endless 3
kill -KILL "$guard" $pid
wait $pid 2>/dev/null || true
sweep --iface ib0 --rates 8 --repeat 1 --output "$work/after" -- UDP_STREAM -N -H 127.0.0.1 -l -1000 -- -m 100
[ $status = 0 ] || fail "exit $status of the next sweep"
grep -q 'killed sweep left its record' "$work/err" || fail "the next sweep does not say so"
knob_is 3 || fail "the next sweep left $(knob), not the value from before the killed one"
idle || fail "the next sweep left a record"
