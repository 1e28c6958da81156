# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a refused post and a send in error cost packets but never the queue, at rates 1 and 32, idle and under traffic
# timeout: 120
. tests/lab/ipoib.inc

faults=/sys/kernel/debug/softib/softib0

struck() { [ "$(cat $faults/"$1")" = 0 ]; }

# recovered RATE FAULT WHERE: nothing is held and ib0 works, without ifdown.
recovered() {
	# The neighbour's probes may have been among what failed: three of them and three questions, a second each.
	wait_until 20 peer_answers || die "rate $1: no answer after $2 $3: $("$ip" neigh show dev ib0), $(stat tx_outstanding) outstanding"
	wait_until 3 nothing_outstanding || die "rate $1: $(stat tx_outstanding) sends held after $2 $3"
	wait_until 3 hca_balanced || die "rate $1: a send has no fate after $2 $3: $(hca_balance)"
}

# quiet RATE FAULT: strikes at the first, a middle and the last packet of a burst nothing follows.
quiet() {
	local nth
	for nth in 1 20 40; do
		echo $nth >$faults/"$2"
		send 40
		struck "$2" || die "rate $1: $2 did not strike at $nth"
		recovered "$1" "$2" "at $nth of 40"
	done
}

# busy RATE FAULT: strikes again and again while packets are sent.
busy() {
	local n flow
	"$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 60 -- -m 100 -p 9 >/dev/null 2>&1 &
	flow=$!
	for n in 1 2 3 4 5 6; do
		echo $((n * 33)) >$faults/"$2"
		wait_until 5 struck "$2" || { kill $flow; die "rate $1: traffic ends after strike $((n - 1)) of $2"; }
	done
	kill $flow
	wait $flow
	recovered "$1" "$2" "under traffic"
}

for rate in 1 32; do
	# A bound of 1 s: what an error leaves behind is reclaimed by what follows it, or in time by the flush.
	set_rate $rate 1000000
	for fault in fail_post_nth fail_send_nth; do
		errors=$(stat tx_errors) in_error=$(hca_counter tx_errors)
		dmesg -c >/dev/null
		quiet $rate $fault
		busy $rate $fault
		echo "rate $rate, $fault: $(($(stat tx_errors) - errors)) TX errors, $(($(hca_counter tx_errors) - in_error)) in error"
		[ "$fault" = fail_send_nth ] || continue
		[ $(($(hca_counter tx_errors) - in_error)) -ge 9 ] || die "rate $rate: fewer sends in error than strikes"
		dmesg | grep -q 'moved from IB_QPS_SQE to IB_QPS_RTS' || die "rate $rate: the queue pair was not in SQE"
	done
done
