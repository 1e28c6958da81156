# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: ip link set down right after unsignaled sends takes under 1 s and times nothing out (the marker at stop)
# timeout: 120
. tests/lab/ipoib.inc

# down_after PACKETS: sends them and takes ib0 down; leaves the time that took in $ms.
down_after() {
	# A bound of 1 s: only the marker can retire the stragglers in time.
	set_rate 32 1000000
	send "$1"
	ms=$(took link_down) || exit 1
	[ "$(stat tx_outstanding)" = 0 ] || die "$(stat tx_outstanding) sends outstanding on a stopped interface"
	link_up || die "ib0 does not come back"
}

for packets in 2 31 33 1000; do
	best_of 2 down_after $packets
	echo "$packets packets: down after $ms ms"
	[ "$ms" -lt 1000 ] || die "ip link set down took $ms ms after $packets packets"
done
