#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that control messages that get lost neither hang a run nor kill it early (iperf #351, #433): the data goes on to its end, and
# the client exits within a grace time with what it sent and the reason; the server lets go of the run too.
. tests/e2e/lib/ubench.sh
start_server
ip -n $far addr add 10.77.0.3/24 dev txsig1
start_client UDP_STREAM --json -l 2 -- -m 100 -H 10.77.0.3
# From here on frames of the control connection go to a station that is not there.
ip -n $near neigh replace 10.77.0.2 lladdr 02:00:00:00:00:99 dev txsig0 nud permanent
client_status 22
[ $status -eq 1 ] || fail "exit $status"
is_valid "$work/run"
holds "$work/run" '.error.where == "control" and .end.sum_sent.seconds > 1.9 and .end.sum_received == null'
grep -q 'asking for the result, the control connection was cut: .*it does not answer' "$work/run.err" || fail "$(cat "$work/run.err")"
