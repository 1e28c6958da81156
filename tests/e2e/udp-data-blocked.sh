#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a run whose control connection works while its data is filtered says so and ends in time (iperf PR 222).
. tests/e2e/lib/ubench.sh
start_server
ip -n $far addr add 10.77.0.3/24 dev txsig1
# Frames for a station that is not there: they leave, and nobody takes them.
ip -n $near neigh replace 10.77.0.3 lladdr 02:00:00:00:00:99 dev txsig0 nud permanent
start=$(date +%s%N)
expect 1 client UDP_STREAM --json -l 0.5 -- -m 100 -H 10.77.0.3
[ $(($(date +%s%N) - start)) -lt 4000000000 ] || fail "it hung"
grep -q 'control ok, data blocked' "$work/err" || fail "$(cat "$work/err")"
holds "$work/out" '.error.where == "data" and .end.sum_received.packets == 0 and .end.sum_received.lost_percent == 100'
holds_account "$work/out"
