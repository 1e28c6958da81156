# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a send that stops the queue and completes before ib_post_send() returns wakes it (the stock driver stays stopped)
# driver: fabric
# kernel: 6.1
# timeout: 240
. tests/lab/ipoib.inc

# The stock driver counts a send after it was posted. Should the ring be emptied between its check for a full ring and the
# stop, and the send that follows complete before it is counted, the completion finds one more completed than sent: it does
# not wake the queue, and no other comes. Both gaps are made wide here: printk_delay holds the sender at a debug message
# between check and stop, the price of a doorbell inside ib_post_send(). CPU 0 sends; CPU 1 completes and runs this script.
faults=/sys/kernel/debug/softib/softib0
debug=/sys/module/ib_ipoib/parameters/debug_level
ring=128
counter=/sys/class/infiniband/softib0/ports/1/hw_counters/tx_wrs

going_on() { [ $(($(hca_counter tx_wrs) - wrs)) -gt $((2 * ring)) ]; }

undo() {
	echo 0 >/proc/sys/kernel/printk_delay
	echo 0 >/sys/module/softib/parameters/cost_doorbell_ns
	echo 0 >$faults/stall_send
	[ -z "$flow" ] || { kill "$flow"; wait "$flow"; } 2>/dev/null
	flow=
}

# strike: leaves in $stopped whether the queue has stopped for good with nothing outstanding.
strike() {
	local n=0 now
	taskset 1 "$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 60 -- -m 100 -p 9 >/dev/null 2>&1 &
	flow=$!
	wrs=$(hca_counter tx_wrs)
	if ! wait_until 20 going_on; then
		# On a busy host it takes no more than this.
		dmesg | grep -q 'NETDEV WATCHDOG' && [ "$(hca_outstanding)" = 0 ] || die "$1: no traffic before the stall"
		echo "$1: stopped by itself"
		stopped=yes
		undo
		return
	fi
	echo 1 >$faults/stall_send
	echo 1 >$debug
	echo 400 >/proc/sys/kernel/printk_delay
	echo 1000000 >/sys/module/softib/parameters/cost_doorbell_ns
	# Until none is posted for a while: the sender prints that the ring is full.
	read -r wrs <$counter
	while usleep 30000; read -r now <$counter; [ "$now" != "$wrs" ]; do wrs=$now; done
	# Empties the ring meanwhile. Then the next send finds the HCA stalled, and going on while it waits for its doorbell.
	while [ "$now" = "$wrs" ] && [ $n -lt 3000 ]; do
		for _ in 1 2 3 4; do
			echo 0 >$faults/stall_send
			echo 1 >$faults/stall_send
		done
		read -r now <$counter
		n=$((n + 1))
	done
	echo 0 >$faults/stall_send
	echo 0 >$debug
	# Before the watchdog has a lot to say.
	echo 0 >/proc/sys/kernel/printk_delay
	wrs=$(hca_counter tx_wrs)
	stopped=no
	wait_until 3 going_on || stopped=yes
	[ $stopped = no ] || echo "$1: stopped after $n turns, $(hca_outstanding) sends outstanding"
	undo
}

trap undo EXIT
taskset -p 2 $$ >/dev/null
dmesg -n 1
rounds=10
for driver in stock patched; do
	driver_load $driver || die "$driver does not load"
	[ $driver = stock ] || set_rate 32 1000000
	sender_only on || die "no sender-only mode"
	round=0 stopped=no
	while [ $stopped = no ] && [ $round -lt $rounds ]; do
		round=$((round + 1))
		strike "$driver"
	done
	echo "$driver: $round rounds, stopped for good: $stopped"
	[ $stopped = no ] || [ $driver = stock ] || die "the patched driver's queue stopped for good in round $round"
	# The patched driver gets more rounds than the stock one took, which two CPUs at odds do not always stop in ten.
	rounds=$((round + 2))
	sender_only off
	driver_unload || die "$driver does not unload"
done
# The stock driver's watchdog has bitten; nothing else is in the log.
log_faults | grep -v 'NETDEV WATCHDOG' && die "the kernel log has more than the watchdog"
dmesg -c >/dev/null
