#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that Ctrl-C once ends the run and prints what was measured, counted by the server; twice, with a server
# that does not answer, leaves with 130.
. tests/e2e/lib/ubench.sh
start_server
start_client UDP_STREAM --json -l 60 -- -m 100
kill -INT "$client"
client_status 5
[ $status -eq 0 ] || fail "exit $status"
holds_account "$work/run"
holds "$work/run" '.end.sum_sent.seconds < 30'

start_client UDP_STREAM -l 60 -- -m 100
pkill -STOP -P "$server"
kill -INT "$client"
# The second is one only after the first has been taken.
interrupted_again() {
	kill -INT "$client" 2>/dev/null
	client_has_ended
}
poll 5 interrupted_again || fail "still there after Ctrl-C twice"
client_status 1
[ $status -eq 130 ] || fail "exit $status after Ctrl-C twice"
pkill -KILL -P "$server"
