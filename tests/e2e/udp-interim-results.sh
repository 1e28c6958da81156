#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows interim results: netperf's line, on time, for -D n and -D -n; while the link is down the rows go on, with zeros; in JSON the
# intervals add up to the run.
. tests/e2e/lib/ubench.sh
start_server
line='^Interim result: +[0-9]+\.[0-9]{2} 10\^6bits/s over [0-9]+\.[0-9]{3} seconds ending at [0-9]+\.[0-9]{3}$'

for interval in 0.2 -0.2; do
	client UDP_STREAM -P 0 -D $interval -l 1 -- -m 100 >"$work/out"
	[ "$(grep -cE "$line" "$work/out")" -ge 4 ] || fail "$(cat "$work/out")"
done
client UDP_STREAM --json -D 0.25 -l 1 -- -m 100 >"$work/run.json"
holds "$work/run.json" '(.intervals | length) >= 3
	and ([.intervals[].packets] | add) <= .end.sum_sent.packets and all(.intervals[]; .seconds > 0)'
holds_account "$work/run.json"

# Down for a second: the sender meets errors, the rows stay on time.
link_goes_down() {
	ip -n $near link set txsig0 up
	start_client UDP_STREAM --json -D 0.2 -l 2 -- -m 100
	sleep 0.5
	ip -n $near link set txsig0 down
	sleep 1
	ip -n $near link set txsig0 up
	client_status 20
	holds "$work/run" '([.intervals[] | select(.packets == 0)] | length) >= 3
		and all(.intervals[]; .seconds <= 0.21) and .end.sum_sent.send_errors > 0'
}
punctual link_goes_down
