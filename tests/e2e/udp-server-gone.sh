#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a client whose server dies during the run stops within 3 s, exits 1 with the reason, and still reports what it sent.
. tests/e2e/lib/ubench.sh
start_server
start_client UDP_STREAM --json -l 60 -D 0.1 -- -m 100
kill -KILL "$server"
client_status 3
[ $status -eq 1 ] || fail "exit $status"
holds "$work/run" '.error.code == 1 and .end.sum_received == null and .end.sum_sent.packets >= 0'
grep -q 'during the run' "$work/run.err" || fail "$(cat "$work/run.err")"
