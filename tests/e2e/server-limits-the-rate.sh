#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows --max-rate: a client that stays below it is served, one that does not is ended within seconds with the reason at both ends;
# what the server sends counts too; each client has its own account.
. tests/e2e/lib/ubench.sh
server_options=(--max-rate 2m)
start_server

# 1000 packets of 100 bytes are 0.8 Mbit/s.
start_client UDP_STREAM --json -l 4 --pps 1k -- -m 100
expect 1 client TCP_STREAM -l 30
grep -q 'the run is faster than this server allows' "$work/err" || fail "$(cat "$work/err")"
expect 1 client UDP_STREAM -l 30 -- -m 100
grep -q '10.77.0.1: the run is faster than this server allows' "$work/server.err" || fail "not logged"
client_status 10
[ $status -eq 0 ] || fail "the slow client was ended: $(cat "$work/run.err")"
holds_account "$work/run"
# One direction of it is allowed, both are not.
client UDP_STREAM -l 2.5 --pps 2k -- -m 100 >/dev/null || fail "1.6 Mbit/s is too fast"
expect 1 client UDP_STREAM -l 30 --pps 2k --bidir -- -m 100
