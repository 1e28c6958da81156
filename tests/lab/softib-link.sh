# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# lab: qemu uml
# shows: a pulled cable takes both ends down, OpenSM brings them back, and port events reach IPoIB without a change
# driver: stock
# timeout: 120
port=/sys/kernel/debug/softib/softib0/port1

carrier_is() { [ "$(cat /sys/class/net/ib0/carrier)" = "$1" ]; }

echo down >$port/link
[ "$(cat $port/link)" = down ] || fail "the link is not down" || exit 1
grep -q DOWN /sys/class/infiniband/softib1/ports/1/state || fail "the other end is not down" || exit 1
wait_until 10 carrier_is 0 || fail "ib0 keeps its carrier" || exit 1
! peer_answers || fail "a packet crossed a pulled cable" || exit 1

echo up >$port/link
wait_until 40 ports_active || fail "OpenSM does not bring the ports back" || exit 1
wait_until 10 carrier_is 1 || fail "ib0 stays without a carrier" || exit 1
wait_until 30 peer_answers || fail "no answer after the cable is back" || exit 1

for event in client_reregister lid_change pkey_change sm_change gid_change; do
	echo $event >$port/event || fail "$event is refused" || exit 1
	wait_until 20 peer_answers || fail "no answer after $event" || exit 1
done
# An error without one, taken back.
echo port_err >$port/event && echo port_active >$port/event || fail "port events are refused" || exit 1
wait_until 20 peer_answers || fail "no answer after port_err and port_active" || exit 1
! echo bogus >$port/event 2>/dev/null || fail "an event that does not exist is taken" || exit 1
