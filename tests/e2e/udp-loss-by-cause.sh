#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows where packets went: dropped by a full socket at the receiver, also when they were the last (iperf #698); refused by a full
# queue at the sender, which is an error and no loss; and that the sizes of socket buffers are those granted.
. tests/e2e/lib/ubench.sh
start_server

# The receiver stands still while more arrives than its buffer takes: the tail is dropped there.
start_client UDP_STREAM --json -l -20000 -- -m 100 -S 20000
pkill -STOP -P "$server"
datagrams() { near cat /proc/net/snmp | awk '/^Udp: [0-9]/ { print $5 }'; }
all_sent() { [ "$(datagrams)" -ge 20000 ]; }
poll 20 all_sent || fail "the sender does not come to its end"
pkill -CONT -P "$server"
client_status 10
[ $status -eq 0 ] || fail "exit $status: $(cat "$work/run.err")"
holds_account "$work/run"
holds "$work/run" '.end | .sum_received.lost_packets > 10000 and .loss.receive_socket == .sum_received.lost_packets'
holds "$work/run" '.end.recv_socket_bytes == 40000'

# A full queue: netperf without IP_RECVERR would sell these as sent.
tc -n $near qdisc add dev txsig0 root tbf rate 2mbit burst 2k limit 5k
client UDP_STREAM --json -l 1 -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end | .sum_sent.send_errors > 100 and .sum_received.lost_packets == 0
	and .sum_sent.bits_per_second < 2.2e6'
# Without a busy spin: the errors are no more than the sender's pauses allow.
holds "$work/run.json" '.end.sum_sent | .send_errors < 20000'
