#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: without a server, or when it goes away, the sweep fails with one line of its own, puts the knob back and stores nothing
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

sweep --iface ib0 --rates 1,4 --output "$work/result" -- "${short[@]}"
[ $status = 1 ] || fail "exit $status without a server"
[ "$(grep -c '^ubench' "$work/err")" = 1 ] || fail "not one error line"
grep -q '^ubench sweep: warm-up, tx_signal_rate [14]: .*127.0.0.1' "$work/err" || fail "the line does not say what failed"
nothing_left

start_server
"$ubench" sweep --iface ib0 --rates 1,4 --repeat 9 --output "$work/result" -- \
	UDP_STREAM -H 127.0.0.1 -p "$port" -l 30 -- -m 100 >"$work/out" 2>"$work/err" &
pid=$!
poll 10 bash -c "! grep -q 3 $net/tx_signal_rate" || fail "the sweep does not begin"
poll 10 pgrep -P $pid -f UDP_STREAM >/dev/null || fail "no test is running"
kill -KILL $server
wait $server 2>/dev/null || true
server=''
status=0
wait $pid || status=$?
[ $status = 1 ] || fail "exit $status when the server was gone"
[ "$(grep -c '^ubench' "$work/err")" = 1 ] || fail "not one error line"
nothing_left
