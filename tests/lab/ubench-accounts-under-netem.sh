# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: ubench accounts for every packet under loss, reordering, duplicates, corruption and all of them at once; loss is never negative (iperf #914, #1866), reordering is not loss (iperf #457, #1142); what the queue drops is its loss, the first packet too
# driver: none
# timeout: 200
. tests/lab/lib/ubench.sh

netem() { $tc qdisc replace dev near0 root netem limit 100000 "$@"; }
# What a full receive buffer drops on a busy host is known, and no matter here: unknown is what netem took.
send() { run -l -3000 --pps 3k -- -m 100 -S 200000; }

# The queue lets TCP through and drops every UDP packet.
drop_udp() {
	$tc qdisc replace dev near0 root handle 1: prio priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 &&
		$tc qdisc add dev near0 parent 1:3 netem loss 100% &&
		$tc filter add dev near0 parent 1: protocol ip u32 match ip protocol 17 0xff flowid 1:3
}

# Runs of one packet, which the queue drops.
first_packet_is_accounted() {
	for i in 1 2 3 4 5; do
		! "$KIT/build/ubench" UDP_STREAM -H 10.79.0.2 --json -l -1 -- -m 100 >/tmp/run.json 2>/tmp/run.err &&
			grep -q 'data blocked' /tmp/run.err &&
			holds '.end.loss | .sender_queue == 1 and .unknown == 0' || return 1
	done
}

far_up || exit 1
drop_udp && first_packet_is_accounted || { far_down; exit 1; }
netem delay 0 && send && holds '.end | .loss.unknown == 0 and .sum_received.duplicates == 0' &&
	netem delay 20ms reorder 75% 50% && send &&
	holds '.end | .loss.unknown == 0 and .sum_received.out_of_order > 100 and .sum_received.duplicates == 0' &&
	netem duplicate 20% && send &&
	holds '.end | .loss.unknown == 0 and .sum_received.duplicates > 300 and .sum_received.duplicates < 900' &&
	netem loss 10% && send &&
	holds '.end.sum_received | .lost_percent > 6 and .lost_percent < 15 and .duplicates == 0' &&
	holds '.end.loss | .sender_queue > 180 and .unknown == 0' &&
	netem corrupt 5% && send &&
	holds '.end | .sum_received.lost_percent > 2 and .sum_received.lost_percent < 9 and .loss.receive_checksum > 60' &&
	netem delay 20ms 5ms loss 10% duplicate 10% reorder 50% corrupt 2% && send &&
	holds '.end.sum_received | .lost_packets > 0 and .duplicates > 0 and .out_of_order > 0' &&
	netem loss 100% && ! run -l -100 -- -m 100 && grep -q 'no server\|data blocked' /tmp/run.err
status=$?
far_down
exit $status
