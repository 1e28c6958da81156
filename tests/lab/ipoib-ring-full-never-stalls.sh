# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a full ring at rate 32 stops the queue, and when the HCA goes on, traffic does within 1 s and no packet is lost
# engines: poster thread
# timeout: 120
. tests/lab/ipoib.inc

stall=/sys/kernel/debug/softib/softib0/stall_send
ring=$(($(cat "$knobs"/tx_signal_rate_max) * 4))

# Exactly full: neither stopped early nor stepped over.
ring_full() { [ "$(stat tx_outstanding)" = "$ring" ]; }
# Further than what the ring held: new packets were taken.
going_on() { [ $(($(hca_counter tx_wrs) - wrs)) -gt $((2 * ring)) ]; }

# A bound of 1 s: what fills the ring must ask for the completion that wakes the queue, a flush would come late.
set_rate 32 1000000
before=$(hca_counter tx_wrs) flushes=$(stat tx_flush)
"$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 120 --json -- -m 100 -p 9 >/tmp/flow.json 2>/tmp/flow.err &
flow=$!
trap 'echo 0 >$stall; kill $flow 2>/dev/null' EXIT
# The stall must be short, 6.1's watchdog warns after a second.
for round in 1 2 3 4 5; do
	wrs=$(hca_counter tx_wrs)
	wait_until 5 going_on || die "round $round: no traffic before the stall"
	echo 1 >$stall
	wait_until 5 queue_stopped "$ring" || die "round $round: the queue does not stop with $(stat tx_outstanding) sends in the ring of $ring"
	wrs=$(hca_counter tx_wrs)
	start=$(uptime_ms)
	echo 0 >$stall &
	wait_until 5 going_on || die "round $round: no traffic after the stall"
	ms=$(($(uptime_ms) - start))
	wait $!
	echo "round $round: goes on after $ms ms"
	[ $ms -lt 1000 ] || die "round $round: goes on only after $ms ms"
done
kill -INT $flow
wait $flow
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends stay outstanding"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted as dropped: $(hca_balance)"

# What fills the ring is signaled wherever its run stands: when no packet follows, the flush has nothing to do. 31 does not
# divide the ring. Other packets of the system may come between: one good try of five shows it.
ends_with_the_ring() {
	set_rate 31 1000000
	wait_until 3 nothing_outstanding || die "not quiet before the exact fill"
	flushes_before=$(stat tx_flush)
	echo 1 >$stall
	send "$ring"
	wait_until 5 ring_full || die "$(stat tx_outstanding) sends after $ring packets"
	echo 0 >$stall
	wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends stay outstanding after the exact fill"
	[ "$(stat tx_flush)" = "$flushes_before" ]
}
tries=0
until ends_with_the_ring; do
	tries=$((tries + 1))
	[ $tries -lt 5 ] || die "the send that fills the ring waits for the flush"
done
[ "$(stat tx_errors)" = 0 ] || die "$(stat tx_errors) TX errors"
echo "$(($(hca_counter tx_wrs) - before)) WRs, $(($(stat tx_flush) - flushes)) flushes"
