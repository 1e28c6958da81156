#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows who is served: addresses of --allow only, holders of the key of --key-file only, so many clients from one address, runs of
# at most --max-seconds; each refusal is told to the client and logged; and that a stranger makes the server send no data packet.
. tests/e2e/lib/ubench.sh

stop_server() {
	kill "$server"
	wait "$server" 2>/dev/null || true
}

refused() {
	expect 1 client UDP_STREAM -l -10 "${@:2}"
	grep -q "$1" "$work/err" || fail "$(cat "$work/err")"
}

server_options=(--allow 10.78.0.0/16 --allow fd77::/16)
start_server
refused 'not an address that this server allows'
grep -q '10.77.0.1: turned away: not an address' "$work/server.err" || fail "not logged"
expect 0 near "$ubench" UDP_STREAM -H fd77::2 -l -10
stop_server

(umask 077 && echo 'a key of more than 16 bytes' >"$work/key" && echo 'another key of more than 16 bytes' >"$work/other")
echo 'a key of more than 16 bytes' >"$work/open" && chmod 644 "$work/open"
(umask 077 && echo short >"$work/short")
expect 1 far "$ubench" server --key-file "$work/open"
expect 1 far "$ubench" server --key-file "$work/short"
expect 1 far "$ubench" server --key-file "$work/none"
server_options=(--key-file "$work/key")
start_server
refused 'wants a key'
refused 'it has another key' --key-file "$work/other"
refused 'readable for its owner' --key-file "$work/open"
grep -q 'wrong key' "$work/server.err" || fail "not logged"
client UDP_STREAM --json -l -100 --key-file "$work/key" -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
expect 0 client TCP_STREAM -l 0.1 --key-file "$work/key"
sent() { far cat /proc/net/snmp | awk '/^Udp: [0-9]/ { print $5 }'; }
[ "$(sent)" -eq 0 ] || fail "the server sent $(sent) datagrams"
stop_server

server_options=()
start_server
refused 'has no key, this client has' --key-file "$work/key"
stop_server

server_options=(--max-per-address 1 --max-seconds 1)
start_server
start_client UDP_STREAM -l 20 -- -m 100
refused 'too many clients from this address'
client_status 5
[ $status -eq 1 ] || fail "exit $status"
grep -q 'longer than this server allows' "$work/run.err" || fail "$(cat "$work/run.err")"
