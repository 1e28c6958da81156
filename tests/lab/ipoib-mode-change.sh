# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# lab: qemu uml
# shows: ib0 changes between datagram and connected mode under traffic at rate 32 without a stall, and nothing stays held
# timeout: 120
. tests/lab/ipoib.inc
. tests/lab/connected.inc

# The traffic goes the way the mode says: 200 packets more by the one or the other.
by_connected() { [ $(($(hca_counter rc_wrs) - rc)) -gt 200 ]; }
by_datagram() { [ $(($(ud_wrs) - ud)) -gt 200 ]; }

set_rate 32 20000
set_mode ib1 connected || die "ib1 refuses connected mode"
$ubench UDP_STREAM -P 0 -N -H $PEER_ADDR -l 120 --pps 5000 -- -m 100 -p 9 >/dev/null 2>/tmp/flow.err &
flow=$!
# shellcheck disable=SC2064 # this flow
trap "kill $flow 2>/dev/null" EXIT
for round in 1 2 3; do
	for mode in connected datagram; do
		rc=$(hca_counter rc_wrs) ud=$(ud_wrs)
		start=$(uptime_ms)
		set_mode ib0 $mode || die "round $round: $mode is refused"
		wait_until 5 by_$mode || die "round $round: no traffic in $mode mode"
		echo "round $round: $mode after $(($(uptime_ms) - start)) ms"
		wait_until 5 peer_answers || die "round $round: no answer in $mode mode"
	done
done
# Once more with the traffic gone in connected mode: the driver must not wait for a completion of the other kind.
rc=$(hca_counter rc_wrs)
set_mode ib0 connected || die "connected mode is refused"
wait_until 5 by_connected || die "no traffic in connected mode"
kill -0 $flow || die "the flow ended: $(cat /tmp/flow.err)"
kill -INT $flow
wait $flow
wait_until 2 nothing_outstanding || die "$(stat tx_outstanding) datagrams stay outstanding"
wait_until 2 rc_idle || die "$(rc_outstanding) sends of connections stay outstanding"
ms=$(took link_down)
[ "$ms" -lt 1500 ] || die "link down took $ms ms"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted: $(hca_balance)"
