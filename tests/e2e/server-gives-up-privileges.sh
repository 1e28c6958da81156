#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows what a server started by root keeps: user nobody, CAP_IPC_LOCK and no other capability; in a session also a system call
# filter, no new privileges, no core file, and memory within --max-memory.
. tests/e2e/lib/ubench.sh
common_options=()
server_options=(--max-memory 64M)
start_server
field() { awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"; }

[ "$(field "$server" Uid)" = 65534 ] || fail "the server runs as user $(field "$server" Uid)"
[ "$(field "$server" Gid)" = 65534 ] || fail "the server runs as group $(field "$server" Gid)"
for set in CapEff CapPrm CapBnd; do
	[ $((0x$(field "$server" $set) & ~(1 << 14))) -eq 0 ] || fail "the server keeps $set $(field "$server" $set)"
done

start_client UDP_STREAM -l 3 -- -m 100
session=$(pgrep -P "$server")
[ "$(field "$session" Seccomp)" = 2 ] || fail "no filter"
[ "$(field "$session" NoNewPrivs)" = 1 ] || fail "new privileges are possible"
grep -qE '^Max core file size +0 ' "/proc/$session/limits" || fail "core files"
grep -qE "^Max data size +$((64 << 20)) " "/proc/$session/limits" || fail "no limit of memory"
kill -INT "$client"
client_status 5
[ $status -eq 0 ] || fail "the run failed: $(cat "$work/run.err")"

# More than the session may have: refused with the reason, and the server goes on.
expect 1 client UDP_STREAM -l -10 --flows 256 -- -m 65507
grep -q 'Cannot allocate memory\|Resource temporarily unavailable' "$work/err" || fail "$(cat "$work/err")"
expect 0 client UDP_STREAM -l -10 -- -m 100
