# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: packets still under way when the sender has ended are waited for; a tail that is dropped is counted as lost (iperf #698)
# driver: none
# timeout: 100
. tests/lab/lib/ubench.sh

netem() { $tc qdisc replace dev near0 root handle 1: netem limit 100000 "$@"; }

far_up || exit 1
# What a full receive buffer drops on a busy host is known, and no matter here. Slower than the sender: a second of packets
# stands in the queue at its end, and the end message waits behind them.
netem rate 1mbit && run -l -1000 -- -m 100 && holds '.end | .loss.unknown == 0 and .sum_received.seconds > 0.5' &&
	netem delay 100ms && run -l -100 -- -m 100 && holds '.end.loss.unknown == 0' &&
	netem delay 0 && {
	# From the middle of the run on nothing arrives, and the control connection only after it.
	(usleep 1000000; netem loss 100%; usleep 2000000; netem delay 0) &
	run -l -2000 --pps 1k -- -m 100
} && holds '.end.sum_received | .lost_packets > 500 and .lost_packets < 1900'
status=$?
far_down
wait
exit $status
