#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that results survive a control connection that is cut during a run, as a NAT box does with one that is long idle (iperf #812,
# #320): once and twice, at either end, with a key, at a full server; the data and the interim rows go on meanwhile. A stranger cannot
# take a run over, and an idle connection is kept alive.
. tests/e2e/lib/ubench.sh
(umask 077 && echo 'a key of more than 16 bytes' >"$work/key")
server_options=(--max-clients 1 --key-file "$work/key")
start_server

cut_at() { ip netns exec "$1" ss -K state established "( sport = :12866 or dport = :12866 )" >/dev/null; }
comes_back() { [ "$(grep -c 'back on a new control connection' "$work/server.err")" -ge "$1" ]; }
keepalive() { near ss -Hton state established dport = :12866 | grep -q 'timer:(keepalive'; }

start_client UDP_STREAM --json -l 6 -D 0.5 --key-file "$work/key" -- -m 100
poll 5 keepalive || fail "no keepalive: $(near ss -ton)"
cut_at $near
poll 5 comes_back 1 || fail "the client does not come back: $(cat "$work/server.err" "$work/run.err")"
cut_at $far
poll 5 comes_back 2 || fail "the client does not come back twice: $(cat "$work/server.err" "$work/run.err")"
client_status 20
[ $status -eq 0 ] || fail "exit $status: $(cat "$work/run.err")"
holds_account "$work/run"
holds "$work/run" '.end.sum_sent.seconds > 5.5 and .end.sum_received.packets > 0 and (.intervals | length) >= 11 and all(.intervals[]; .packets > 0)'

# Between the run and its result: the receiver stands still, so that the end message waits for its answer.
start_client TCP_STREAM --json -l 1 --key-file "$work/key"
sleep 0.5
pkill -STOP -P "$server"
sleep 1
cut_at $near
poll 5 keepalive || fail "no new connection"
pkill -CONT -P "$server"
client_status 20
[ $status -eq 0 ] || fail "exit $status: $(cat "$work/run.err")"
holds "$work/run" '.end.sum_received.bytes == .end.sum_sent.bytes and .end.sum_sent.bytes > 0'
poll 5 has_no_session || fail "a session stays behind"
! grep -q 'no such run' "$work/server.err" || fail "$(cat "$work/server.err")"
