#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a server asked at a link-local address by a client with a global one, which leaves out the link, finds the link by itself;
# and says why where it cannot, as two of its interfaces have the address.
. tests/e2e/lib/ubench.sh
start_server
address=$(ip -n $far -6 -o addr show dev txsig1 scope link | awk '{ sub("/.*", "", $4); print $4 }')
ip -n $near -6 addr flush dev txsig0 scope link
ip -n $near -6 route replace fe80::/64 dev txsig0
run() { near "$ubench" UDP_STREAM -H "$address%txsig0" --json -l -100 -- -m 100; }

run >"$work/run.json" 2>"$work/err" || fail "$(cat "$work/err")"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_sent.packets == 100'

ip -n $far link add txsig9 type veth peer name txsig8
ip -n $far link set txsig9 up
ip -n $far link set txsig8 up
ip -n $far addr add "$address/64" dev txsig9 nodad
expect 1 run
grep -q 'does not say on which link' "$work/err" || fail "$(cat "$work/err")"
