#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows packets to a multicast group, IPv4 and IPv6: the server joins on the interface of its control connection and counts each
# packet; the interface and the hops are the sender's choice; the server leaves the group at the end (iperf #27, #1913).
. tests/e2e/lib/ubench.sh
start_server
member() { far ip maddr show dev txsig1 | grep "$1" >/dev/null; }
no_member() { ! member "$1"; }

near "$ubench" UDP_STREAM -H 10.77.0.2%txsig0 --json -l -500 --pps 5k -- -m 100 -H 239.77.0.1 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_received.packets == 500'
near "$ubench" UDP_STREAM -H fd77::2%txsig0 --json -l -500 --pps 5k --ttl 4 -- -m 100 -H ff15::77 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_received.packets == 500'

ip -n $near route add 239.0.0.0/8 dev txsig0
start_client UDP_STREAM --json -l 4 --pps 100 -- -m 100 -H 239.77.0.1
poll 5 member 239.77.0.1 || fail "the server has not joined"
client_status 10
poll 5 no_member 239.77.0.1 || fail "the server is still a member"
expect 2 client TCP_STREAM --ttl 4
