# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Guest side: RoCE devices in software (rdma_rxe) for the verbs tests; sourced after lib.sh.
#
# rxe receives in the guest's own network namespace only, so both ends of a link live there and are kept apart by
# routing: what is bound to rA leaves by the veth rA and arrives at rB, instead of taking the short way through lo.

RXE_A=10.1.0.1 RXE_B=10.1.0.2 RXE_C=10.1.0.3

rxe_modules() {
	modprobe -a crc32_generic configfs ib_core ib_uverbs rdma_cm rdma_ucm rdma_rxe veth || return 1
	wait_until 5 test -e /dev/infiniband/rdma_cm || fail "no /dev/infiniband/rdma_cm"
}

# rxe_address IFACE ADDR TABLE: its address, its own routing table for what is bound to it, and its RoCE device.
rxe_address() {
	$ip addr add "$2/24" dev "$1"
	$ip link set "$1" up
	$ip rule add pref 1 oif "$1" lookup "$3"
	$ip route add 10.1.0.0/24 dev "$1" src "$2" table "$3"
	$ip route add 239.0.0.0/8 dev "$1" src "$2" table "$3"
	/usr/bin/rdma link add "rxe_$1" type rxe netdev "$1"
}

# rxe_local_last: routes of single interfaces come before the local table, or two own addresses meet in lo.
rxe_local_last() {
	$ip rule add pref 10 lookup local
	$ip rule del pref 0 2>/dev/null
	echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
	echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter
	echo 1 >/proc/sys/net/ipv4/conf/all/accept_local
	echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore
}

# rxe_pair_up: rxe_ra and rxe_rb at the ends of a veth.
rxe_pair_up() {
	rxe_modules || return 1
	rxe_local_last
	$ip link add ra type veth peer name rb || return 1
	rxe_address ra $RXE_A 101 && rxe_address rb $RXE_B 102 || return 1
	rxe_neighbours ra rb
	wait_until 10 port_active rxe_ra && wait_until 10 port_active rxe_rb || fail "the rxe ports did not become ACTIVE"
}

mac_of() { cat "/sys/class/net/$1/address"; }

rxe_neighbours() {
	$ip neigh replace $RXE_B lladdr "$(mac_of "$2")" dev "$1" nud permanent
	$ip neigh replace $RXE_A lladdr "$(mac_of "$1")" dev "$2" nud permanent
}
