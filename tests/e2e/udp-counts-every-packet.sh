#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a run accounts for every packet: by count and by time, over IPv4, IPv6 and a link-local address, with one flow and
# several, with and without sequence numbers; and that several runs in a row leave the server as it was.
. tests/e2e/lib/ubench.sh
start_server

run() {
	near "$ubench" UDP_STREAM --json "$@" >"$work/run.json" 2>"$work/err" || fail "$* ($(cat "$work/err"))"
	holds_account "$work/run.json"
}

run -H 10.77.0.2 -l -20000 -- -m 100
holds "$work/run.json" '.end.sum_sent | .packets == 20000 and .bytes == 2000000 and .send_errors == 0'
holds "$work/run.json" '.schema_version == 1 and .start.environment.interface == "txsig0"
	and .start.environment.driver == "veth" and .end.send_socket_bytes > 0 and .end.recv_socket_bytes > 0'
run -H fd77::2 -l -5k -- -m 1K
holds "$work/run.json" '.end.sum_sent | .packets == 5000 and .bytes == 5120000'
link_local=$(ip -n $far -6 -o addr show dev txsig1 scope link | awk '{ sub("/.*", "", $4); print $4 }')
run -H "$link_local%txsig0" -l 0.3 -- -m 100
run -H 10.77.0.2%txsig0 -l 0.3 --flows 3 -- -m 100
holds "$work/run.json" '.end | (.streams | length) == 3
	and ([.streams[].sent.packets] | add) == .sum_sent.packets
	and ([.streams[].received.packets] | add) == .sum_received.packets'
run -H 10.77.0.2 -l -1000 -- -m 8
holds "$work/run.json" '.end.sum_received | .duplicates == null and .out_of_order == null and .jitter_ms == null'
grep -q 'carry no sequence number' "$work/err" || fail "sequence-less mode is not said"
run -H 10.77.0.2 -l -100 -- -m 65507 -s 1M -S 1M
holds "$work/run.json" '.end.sum_sent.bytes == 6550700'
poll 5 has_no_session || fail "a session stays behind"
