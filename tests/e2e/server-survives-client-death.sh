#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a server full with a killed client takes the next one within 2 s, and that its descriptors and processes go back to
# where they were (iperf #1997, #225); that a full server says so; that one whose clients stay silent lets go of them.
. tests/e2e/lib/ubench.sh
server_options=(--max-clients 1)
start_server
descriptors() { find "/proc/$server/fd" -mindepth 1 | wc -l; }
before=$(descriptors)

for _ in 1 2 3; do
	start_client UDP_STREAM -l 60 -- -m 100
	kill -KILL "$client"
	client_status 5
	start=$(date +%s%N)
	client UDP_STREAM --json -l -100 -- -m 100 >"$work/run.json" 2>"$work/err" || fail "$(cat "$work/err")"
	[ $(($(date +%s%N) - start)) -lt 3000000000 ] || fail "the next client waited too long"
	holds_account "$work/run.json"
done
poll 5 has_no_session || fail "a session stays behind"
[ "$(descriptors)" -eq "$before" ] || fail "$before descriptors became $(descriptors)"

# Full: the second client is told so, the first goes on undisturbed.
start_client UDP_STREAM --json -l 5 -- -m 100
expect 1 client UDP_STREAM -l -10
grep -q busy "$work/err" || fail "$(cat "$work/err")"
client_status 8
[ $status -eq 0 ] || fail "the first client failed"
holds_account "$work/run"
poll 5 has_no_session || fail "a session stays behind"

# Silent: connects and says nothing; the session ends by itself.
ip netns exec $near bash -c 'exec 3<>/dev/tcp/10.77.0.2/12866; exec sleep 60' &
pids+=($!)
poll 5 has_session || fail "no session"
poll 8 has_no_session || fail "a silent client is kept"
[ "$(descriptors)" -eq "$before" ] || fail "$before descriptors became $(descriptors)"
