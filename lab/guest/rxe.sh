# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Guest side: RoCE devices in software (rdma_rxe) and ubench on them, for the verbs tests; sourced after lib.sh.
#
# rxe receives in the guest's own network namespace only, so both ends of a link live there and are kept apart by
# routing: what is bound to the veth end ra leaves by it and arrives at rb, instead of taking the short way through lo.

RXE_A=10.1.0.1 RXE_B=10.1.0.2 RXE_C=10.1.0.3
rdma=/usr/bin/rdma
UBENCH=$KIT/build/ubench

rxe_modules() {
	modprobe -a crc32_generic configfs ib_core ib_uverbs rdma_cm rdma_ucm rdma_rxe veth || return 1
	wait_until 5 test -e /dev/infiniband/rdma_cm || fail "no /dev/infiniband/rdma_cm"
}

# Routes of single interfaces come before the local table, or two own addresses meet in lo.
rxe_local_last() {
	$ip rule add pref 10 lookup local
	$ip rule del pref 0
	echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
	echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter
	echo 1 >/proc/sys/net/ipv4/conf/all/accept_local
	echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore
	# Without IPv6's own packets, what crosses a link is what a test sent.
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
}

# rxe_end IFACE ADDR TABLE: its address, a routing table for what is bound to it, and the RoCE device rxe_IFACE.
rxe_end() {
	$ip addr add "$2/24" dev "$1" && $ip link set "$1" up || return 1
	$ip rule add pref 1 oif "$1" lookup "$3"
	$ip route add 10.1.0.0/24 dev "$1" src "$2" table "$3"
	$rdma link add "rxe_$1" type rxe netdev "$1"
}

# A veth end has a carrier only once the other one is up.
rxe_active() {
	local end
	for end in "$@"; do
		wait_until 10 port_active "rxe_$end" || fail "port 1 of rxe_$end did not become ACTIVE" || return 1
	done
}

mac_of() { cat "/sys/class/net/$1/address"; }

# rxe_knows IFACE ADDR OTHER_IFACE: where the other's address is, without asking.
rxe_knows() { $ip neigh replace "$2" lladdr "$(mac_of "$3")" dev "$1" nud permanent; }

# rxe_pair_up: rxe_ra ($RXE_A) and rxe_rb ($RXE_B) at the two ends of a veth.
rxe_pair_up() {
	rxe_modules && rxe_local_last || return 1
	$ip link add ra type veth peer name rb || return 1
	rxe_end ra $RXE_A 101 && rxe_end rb $RXE_B 102 || return 1
	rxe_knows ra $RXE_B rb
	rxe_knows rb $RXE_A ra
	rxe_active ra rb
}

# rxe_bridge_up: rxe_ra, rxe_rb and rxe_rc on a bridge that floods multicast.
rxe_bridge_up() {
	local end
	rxe_modules && rxe_local_last || return 1
	modprobe bridge && $ip link add rbr type bridge mcast_snooping 0 || return 1
	$ip link set rbr up
	for end in ra rb rc; do
		$ip link add $end type veth peer name ${end}_br && $ip link set ${end}_br master rbr up || return 1
	done
	rxe_end ra $RXE_A 101 && rxe_end rb $RXE_B 102 && rxe_end rc $RXE_C 103 && rxe_active ra rb rc
}

# rxe_down: takes down whatever of it is up, so that the next test finds the guest as it was.
rxe_down() {
	local end
	servers_stop
	for end in ra rb rc; do
		[ ! -e /sys/class/infiniband/rxe_$end ] || $rdma link del rxe_$end
		[ ! -e /sys/class/net/$end ] || $ip link del $end
	done
	[ ! -e /sys/class/net/rbr ] || $ip link del rbr
	$ip rule add pref 0 lookup local 2>/dev/null
	while $ip rule del pref 1 2>/dev/null; do :; done
	$ip rule del pref 10 2>/dev/null
	[ ! -e /sys/module/rdma_rxe ] || rmmod rdma_rxe
}

listens() { netstat -ltn 2>/dev/null | grep -q "$1:12866 "; }

# server_start ADDR: a server on that address; its output in /tmp/server-ADDR.log, its pid in $server_pid.
server_start() {
	$UBENCH server --bind "$1" >"/tmp/server-$1.log" 2>&1 &
	server_pid=$!
	servers="$servers $server_pid"
	wait_until 10 listens "$1" || fail "the server does not listen: $(cat "/tmp/server-$1.log")"
}

servers=
servers_stop() {
	local pid
	for pid in $servers; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
	servers=
	return 0
}

# figure NAME FILE: the last number of that name in a JSON document, that of the sums.
figure() { sed -n "s/.*\"$1\": \([0-9.]*\),*\$/\1/p" "$2" | tail -n1; }

# first_figure NAME FILE: the first, which is the sender's own where both sides have one.
first_figure() { sed -n "s/.*\"$1\": \([0-9.]*\),*\$/\1/p" "$2" | head -n1; }

# figures NAME FILE: all of them on one line.
figures() { sed -n "s/.*\"$1\": \([0-9.]*\),*\$/\1/p" "$2" | tr '\n' ' '; }

# verbs ARGS...: ubench VERBS_UD with JSON into /tmp/verbs.json, its stderr into /tmp/verbs.err.
verbs() { $UBENCH VERBS_UD "$@" >/tmp/verbs.json 2>/tmp/verbs.err; }

# expect WHAT CONDITION...: a test condition, told when it does not hold.
expect() {
	local what=$1
	shift
	[ "$@" ] && return 0
	echo "not so: $what ([ $* ])"
	cat /tmp/verbs.err
	return 1
}

# account_holds: sent = received + lost, and the parts of the loss add up to it.
account_holds() {
	local sent lost parts
	sent=$(figure work_requests /tmp/verbs.json)
	lost=$(figure lost_packets /tmp/verbs.json)
	parts=$(($(figure sender_queue /tmp/verbs.json) + $(figure receive_socket /tmp/verbs.json) + \
		$(figure receive_queue /tmp/verbs.json) + $(figure wrong_qkey /tmp/verbs.json) + $(figure unknown /tmp/verbs.json)))
	expect "sent = received + lost" "$sent" -eq $(($(receiver_packets) + lost)) &&
		expect "the parts of the loss add up" "$parts" -eq "$lost"
}

# Packets of all flows as the (last) receiver counted them.
receiver_packets() { sed -n '/"receivers"/,$s/.*"packets": \([0-9]*\),*$/\1/p' /tmp/verbs.json | tail -n1; }
