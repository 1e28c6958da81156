#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows both directions at once: every packet and byte of each is accounted for, over UDP and TCP, with one flow and several, after a
# warm-up too; the tables tell which is which; the server sends nothing to a client that did not ask for it.
. tests/e2e/lib/ubench.sh
start_server

run() {
	local test=$1
	shift
	client "$test" --json "$@" >"$work/run.json" 2>"$work/err" || fail "$* ($(cat "$work/err"))"
	is_valid "$work/run.json"
}
# Of UDP: what is sent is received or lost, in either direction.
both_add_up() {
	holds_account "$work/run.json"
	holds "$work/run.json" '.end.reverse | .sum_sent.packets > 0
		and .sum_sent.packets == .sum_received.packets + .sum_received.lost_packets
		and .sum_received.lost_packets == ([.loss[]] | add) and .sum_received.foreign == 0'
}

run UDP_STREAM --bidir -l 0.5 --pps 2k -- -m 100
both_add_up
holds "$work/run.json" '.end.reverse.sum_sent | .packets > 500 and .packets < 1100 and .seconds > 0.4 and .seconds < 0.9'
run UDP_STREAM --bidir -l 0.5 --flows 3 --gso 10 --gro -- -m 100
both_add_up
holds "$work/run.json" '.end.reverse | (.streams | length) == 3 and ([.streams[].sent.packets] | add) == .sum_sent.packets and .fairness > 0'
run UDP_STREAM --bidir -l 0.3 --batch 16 --omit 0.3 -- -m 100
both_add_up
holds "$work/run.json" '.end.reverse.sum_sent.seconds < 0.6'
run UDP_STREAM --bidir -l 0.2 -i 2,2 -I 50,99 --pps 1k -- -m 8
both_add_up
holds "$work/run.json" '.end.reverse | (.streams | length) == 2 and .sum_received.duplicates == null'
near "$ubench" UDP_STREAM -H fd77::2 --json --bidir -l 0.2 -- -m 100 >"$work/run.json"
both_add_up

run TCP_STREAM --bidir -l 0.5 --flows 2 --omit 0.2
holds "$work/run.json" '.end | .sum_sent.bytes == .sum_received.bytes and .sum_sent.bytes > 0
	and (.reverse | .sum_sent.bytes == .sum_received.bytes and .sum_sent.bytes > 0 and .sum_sent.seconds > 0.4)'

client UDP_STREAM --bidir -l 0.2 -- -m 100 >"$work/out"
[ "$(grep -c ^PPS= "$work/out")" -eq 2 ] || fail "not two tables: $(cat "$work/out")"
grep -q 'TEST from 10.77.0.2 to ' "$work/out" || fail "the second table does not say whose it is: $(cat "$work/out")"
poll 5 has_no_session || fail "a session stays behind"

# Without --bidir not a datagram leaves the server.
sent() { far cat /proc/net/snmp | awk '/^Udp: [0-9]/ { print $5 }'; }
before=$(sent)
client UDP_STREAM -l 0.2 -- -m 100 >/dev/null
[ "$(sent)" -eq "$before" ] || fail "the server sent $(($(sent) - before)) datagrams unasked"

for bad in '-N' '-l -10' '-- -H 10.77.0.2'; do
	# shellcheck disable=SC2086
	expect 2 client UDP_STREAM --bidir $bad
done
expect 2 client UDP_RR --bidir
