#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that interim rows of a TCP_STREAM come on time and tell the rate while the send call blocks: a class changed from 500 to
# 5 Mbit/s under the run (netperf's row came after 77.8 s), a link down for 7 s, and a peer that stops reading (netperf #55); for -D n as
# for -D -n.
. tests/e2e/lib/ubench.sh
start_server
htb() { tc -n $near class "$1" dev txsig0 parent 1: classid 1:1 htb rate "$2" burst 15k quantum 60000; }
tc -n $near qdisc add dev txsig0 root handle 1: htb default 1
htb add 500mbit

# Every full row took at most 1.01 s.
on_time() { holds "$work/run" '.intervals[:-1] | length >= 3 and all(.[]; .seconds <= 1.01)'; }

# The row that is open when the class changes ends within 1.05 s of it, and tells of it; so do those that follow.
class_changes() {
	local changed
	htb change 500mbit
	start_client TCP_STREAM --json -D "$1" -l 6 -- -m 1K
	sleep 1.5
	htb change 5mbit
	changed=$(date +%s.%N)
	client_status 30
	on_time
	holds "$work/run" '.intervals[0].bits_per_second > 100e6'
	holds "$work/run" "[.intervals[] | select(.ending_epoch_s > $changed)][0] | .ending_epoch_s - $changed <= 1.05"
	holds "$work/run" "[.intervals[:-1][] | select(.ending_epoch_s - .seconds > $changed).bits_per_second]
		| length >= 2 and all(.[]; . > 2e6 and . < 8e6)"
}
punctual class_changes 1
punctual class_changes -1

link_goes_down() {
	ip -n $near link set txsig0 up
	start_client TCP_STREAM --json -D 1 -l 9 -- -m 1K
	sleep 1
	ip -n $near link set txsig0 down
	sleep 7
	ip -n $near link set txsig0 up
	client_status 30
	on_time
	holds "$work/run" '[.intervals[] | select(.bytes == 0)] | length >= 6'
}
htb change 500mbit
punctual link_goes_down

peer_stops_reading() {
	start_client TCP_STREAM --json -D 1 -l 5 -- -m 1K
	pkill -STOP -P "$server"
	sleep 3.5
	pkill -CONT -P "$server"
	client_status 30
	on_time
	holds "$work/run" '[.intervals[] | select(.bytes == 0)] | length >= 2'
	holds "$work/run" '.end.sum_received.packets == null and .end.sum_received.bytes == .end.sum_sent.bytes'
}
punctual peer_stops_reading
