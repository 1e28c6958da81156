#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that what cannot work ends at once with one line on stderr and the documented exit code; with --json the failed run is one
# valid document that says why (iperf #364, #1143).
. tests/e2e/lib/ubench.sh

expect 1 client UDP_STREAM -l 1
grep -q 'no server at 10.77.0.2 port 12866: Connection refused' "$work/err" || fail "$(cat "$work/err")"
expect 1 client UDP_STREAM --json -l 1
is_valid "$work/out"
holds "$work/out" '.error.code == 1 and .error.where == "control" and .end.sum_received == null'
expect 1 near "$ubench" UDP_STREAM -H 203.0.113.1 -l 1
grep -q 'Network is unreachable' "$work/err" || fail "$(cat "$work/err")"
expect 1 near "$ubench" UDP_STREAM -N -H 203.0.113.1 -l 1
grep -q 'cannot send to 203.0.113.1: Network is unreachable' "$work/err" || fail "$(cat "$work/err")"
expect 1 near "$ubench" UDP_STREAM -H 10.77.0.2%nosuch0 -l 1
grep -q 'no such interface' "$work/err" || fail "$(cat "$work/err")"
expect 1 near "$ubench" UDP_STREAM -H 10.77.0.2 -T 1000, -l 1
grep -q 'no CPU 1000 at this end' "$work/err" || fail "$(cat "$work/err")"

for bad in '-l 1x' '-l -0' '-D 0' '-P 2' '-T 1,2,3' '--flows 0' '-q' '--nonsense' 'extra' \
	'-- -m 0' '-- -m 65508' '-- -m 1KB' '-- -s -1' '-- -p 0' '-- -p 65536' '-- -x' '-- extra' '-- -m'; do
	# shellcheck disable=SC2086
	expect 2 client UDP_STREAM $bad
	[ ! -s "$work/out" ] || fail "usage error prints to stdout: $bad"
done
expect 2 near "$ubench" UDP_STREAM -l 1
expect 2 near "$ubench" NO_SUCH_TEST
expect 2 near "$ubench" server --max-clients 0
expect 2 near "$ubench" server --port 70000
expect 1 near "$ubench" server --bind 10.77.0.99
for command in server UDP_STREAM; do
	expect 0 near "$ubench" $command --help
	grep -q ^usage: "$work/out" || fail "no usage in $command --help"
done

start_server
expect 1 client UDP_STREAM -T ,1000 -l 1
grep -q 'no CPU 1000 at the remote end' "$work/err" || fail "$(cat "$work/err")"
expect 1 client UDP_STREAM -l 1 -- -H 10.77.0.99
grep -q 'Cannot assign requested address' "$work/err" || fail "$(cat "$work/err")"
