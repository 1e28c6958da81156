#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that loss is seen while the run goes on (xfr #70): rows tell what arrived as
# well as what was sent, and nothing arriving is seen within one interval.
. tests/e2e/lib/ubench.sh
start_server
client UDP_STREAM --json -D 0.4 -l 2 --pps 1k -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '[.intervals[:-1][].received_packets] | length >= 3 and all(.[]; . > 100 and . < 900)'

# For a while packets go to a station that is not there: lost on the way, and progress stays out as well.
start_client UDP_STREAM --json -D 0.4 -l 4 --pps 1k -- -m 100
sleep 1.2
ip -n $near neigh replace 10.77.0.2 lladdr 02:00:00:00:00:99 dev txsig0 nud permanent
sleep 1.2
ip -n $near neigh del 10.77.0.2 dev txsig0
client_status 15
[ $status -eq 0 ] || fail "exit $status: $(cat "$work/run.err")"
holds_account "$work/run"
holds "$work/run" '[.intervals[] | select(.received_packets == 0 and .packets > 100)] | length >= 1'
holds "$work/run" '.end.sum_received.lost_packets > 500'
