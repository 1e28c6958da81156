# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# lab: qemu uml
# shows: at rate 32 connections, datagram neighbours and multicast share the ring: no stall when it was full, nothing held, counters add up
# engines: poster thread
# timeout: 120
. tests/lab/ipoib.inc
. tests/lab/connected.inc

stall=/sys/kernel/debug/softib/softib0/stall_send
ring=$(($(cat "$knobs"/tx_signal_rate_max) * 4))
datagram=10.0.0.3 group=239.1.2.3 flows=

# flow HOST: a stream of its own; both kinds together must fill the ring
flow() {
	$ubench UDP_STREAM -P 0 -N -H "$1" -l 120 --pps 4000 -- -m "$2" -p 9 >/dev/null 2>>/tmp/flow.err &
	flows="$flows $!"
}

both_go_on() { [ $(($(hca_counter rc_wrs) - rc)) -gt 200 ] && [ $(($(ud_wrs) - ud)) -gt 200 ]; }

# The ring has been full: nothing is posted any more, although the flows go on. Completions that were on their way when the HCA
# stalled may have retired some; that wakes the queue from half on only.
ring_rests() {
	local wrs
	wrs=$(hca_counter tx_wrs)
	usleep 100000
	[ "$(hca_counter tx_wrs)" = "$wrs" ] && [ $(($(hca_outstanding) + $(rc_outstanding))) -gt $((ring / 2)) ]
}

# Stalls the HCA until the ring was full, and no longer: 6.1's watchdog warns of a queue that is stopped for a second. Leaves
# in $was_full whether it was, and in $ud_held and $rc_held what the queues held.
stall_shortly() {
	rc=$(hca_counter rc_wrs) ud=$(ud_wrs) was_full=no
	echo 1 >$stall
	! wait_until 3 ring_rests || was_full=yes
	ud_held=$(hca_outstanding) rc_held=$(rc_outstanding)
	echo 0 >$stall
}

both_connected || die "no connected mode"
wait_until 10 large_ping || die "no large echo"
# The same port under another address and without the flag that says it takes connections.
lladdr=$($ip -n peer -o link show ib1 | sed -n 's/.*link\/infiniband ..\([0-9a-f:]*\) .*/\1/p')
$ip -n peer addr add $datagram/24 dev ib1
$ip neigh replace $datagram lladdr "00$lladdr" dev ib0 nud permanent || die "no datagram neighbour"
$ip route add $group dev ib0

set_rate 32 1000000
rc=$(hca_counter rc_wrs) ud=$(ud_wrs)
signaled=$(stat tx_signaled) unsignaled=$(stat tx_unsignaled) flushes=$(stat tx_flush)
flow $PEER_ADDR 100
flow $datagram 100
flow $group 100
# shellcheck disable=SC2064 # these flows
trap "echo 0 >$stall; kill $flows 2>/dev/null" EXIT
wait_until 10 both_go_on || die "no mixed traffic: $(cat /tmp/flow.err)"
full=0
for round in 1 2 3 4 5 6; do
	stall_shortly
	start=$(uptime_ms)
	wait_until 5 both_go_on || die "round $round: no traffic after the stall"
	ms=$(($(uptime_ms) - start))
	echo "round $round: the ring held $ud_held datagrams and $rc_held messages; goes on after $ms ms"
	[ $ms -lt 2000 ] || die "round $round: goes on only after $ms ms"
	[ $was_full = no ] || full=$((full + 1))
done
[ $full -ge 4 ] || die "the ring of $ring was full only $full times"
kill -INT $flows
wait $flows
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) datagrams stay outstanding"
wait_until 3 rc_idle || die "$(rc_outstanding) sends of connections stay outstanding"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted: $(hca_balance)"
signaled=$(($(stat tx_signaled) - signaled)) unsignaled=$(($(stat tx_unsignaled) - unsignaled))
flushes=$(($(stat tx_flush) - flushes))
echo "$signaled signaled, $unsignaled unsignaled datagrams, $flushes flushes"
[ $unsignaled -gt $signaled ] || die "$unsignaled of $((signaled + unsignaled)) datagrams went unsignaled"
