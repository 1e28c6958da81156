# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# lab: qemu uml
# shows: MTU changes with packets unreclaimed take under 1 s each, and every packet is delivered and reclaimed
# timeout: 120
. tests/lab/ipoib.inc

# change_mtu MTU PACKETS: leaves in $ms how long it took, with that many large packets just sent at rate 32.
change_mtu() {
	local before delivered
	set_rate 32 1000000
	before=$(stat tx_packets) delivered=$(hca_counter rx_delivered softib1)
	send "$2" 1200
	[ "$(stat tx_outstanding)" = 0 ] || waiting=$((waiting + 1))
	ms=$(took "$ip" link set ib0 mtu "$1") || exit 1
	[ "$(cat "$knobs"/mtu)" = "$1" ] || die "the MTU is $(cat "$knobs"/mtu), not $1"
	wait_until 3 nothing_outstanding || die "MTU $1: $(stat tx_outstanding) sends held after $2 packets"
	[ $(($(stat tx_packets) - before)) -ge "$2" ] || die "MTU $1: $(($(stat tx_packets) - before)) of $2 packets sent"
	[ $(($(hca_counter rx_delivered softib1) - delivered)) -ge "$2" ] || die "MTU $1: packets were lost"
	# The largest datagram of this MTU: 20 bytes of IP and 8 of ICMP.
	ping -c 2 -i 0.05 -W 2 -s $(($1 - 28)) "$PEER_ADDR" | grep -q ' 0% packet loss' ||
		die "MTU $1: datagrams of its size are lost"
}

largest=$(cat "$knobs"/mtu)
waiting=0
for packets in 2 33; do
	for mtu in 1300 1500 "$largest"; do
		best_of 2 change_mtu "$mtu" $packets
		echo "$packets packets: MTU $mtu after $ms ms"
		[ "$ms" -lt 1000 ] || die "MTU $mtu took $ms ms after $packets packets"
	done
done
[ $waiting -ge 4 ] || die "only $waiting times was a packet found waiting"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted as dropped: $(hca_balance)"
[ "$(stat tx_errors)" = 0 ] || die "$(stat tx_errors) TX errors"
