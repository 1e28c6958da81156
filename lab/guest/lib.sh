# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Guest side: brings the fabric, OpenSM and IPoIB up and down; sourced by jobs and lab tests (busybox sh).
#
# ib0 (HCA softib0) is the sender and stays in the guest's own network namespace; ib1 (softib1) is the
# receiver in the namespace `peer`. Functions return non-zero with a line on stderr when they fail.

KIT=/txsig
ip=/usr/sbin/ip # busybox's own ip knows no InfiniBand
SENDER_ADDR=10.0.0.1 PEER_ADDR=10.0.0.2
SENDER_ADDR6=fd00::1 PEER_ADDR6=fd00::2

# What is typed in the guest means the same.
ip() { $ip "$@"; }

fail() {
	echo "lab: $*" >&2
	return 1
}

# wait_until SECONDS COMMAND...: polls until the command succeeds; fails when the time is up.
wait_until() {
	local deadline now
	deadline=$(($(uptime_ms) + $1 * 1000))
	shift
	until "$@" >/dev/null 2>&1; do
		now=$(uptime_ms)
		[ "$now" -lt "$deadline" ] || return 1
		usleep 50000
	done
}

uptime_ms() {
	local up
	read -r up _ </proc/uptime
	# The leading 1 keeps "05" from being read as octal.
	echo $((${up%.*} * 1000 + 1${up#*.}0 - 1000))
}

in_peer() { $ip netns exec peer "$@"; }

port_active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/${2:-1}/state"; }

ports_active() {
	local device
	for device in /sys/class/infiniband/softib*; do
		port_active "${device##*/}" || return 1
	done
}

# fabric_up [SOFTIB_PARAM=VALUE...]: software HCAs and OpenSM, until every HCA's first port is ACTIVE.
# OpenSM's own options are in $OPENSM_OPTIONS, parameters of every fabric in $TXSIG_FABRIC.
# shellcheck disable=SC2086 # parameters are words
fabric_up() {
	modprobe -a ib_core ib_umad ib_uverbs || return 1
	insmod "$KIT/modules/softib/softib.ko" ${TXSIG_FABRIC:-} "$@" || return 1
	# A clean start each time: OpenSM would otherwise reuse the LIDs of an earlier fabric.
	rm -rf /var/cache/opensm
	mkdir -p /var/cache/opensm /var/log
	opensm_start || return 1
	wait_until 30 ports_active || fail "the ports did not become ACTIVE within 30 s"
}

# shellcheck disable=SC2086 # options are words
opensm_start() { opensm -f /var/log/opensm.log ${OPENSM_OPTIONS:-} >/dev/null 2>&1 </dev/null & }

no_opensm() { ! pidof opensm; }

opensm_stop() {
	killall -q opensm
	wait_until 10 no_opensm || fail "opensm does not end"
}

fabric_down() {
	opensm_stop && rmmod softib
}

# driver_load stock|patched [PARAM=VALUE...]: the real IPoIB on both HCAs, addresses set, reachable.
driver_load() {
	local variant=$1
	shift
	modprobe -a ib_cm ib_core ib_umad ipv6 2>/dev/null
	$ip netns list | grep -q '^peer' || $ip netns add peer || return 1
	$ip -n peer link set lo up
	insmod "$KIT/modules/$variant/ib_ipoib.ko" "$@" || return 1
	wait_until 10 test -e /sys/class/net/ib1 || fail "ib_ipoib made no ib1" || return 1
	interface_up "" ib0 $SENDER_ADDR $SENDER_ADDR6
	$ip link set ib1 netns peer || return 1
	interface_up peer ib1 $PEER_ADDR $PEER_ADDR6
	wait_until 20 peer_answers || fail "ib0 cannot reach $PEER_ADDR within 20 s"
}

peer_answers() { ping -c 1 -W 1 $PEER_ADDR; }

# interface_up NETNS IFACE ADDR ADDR6
interface_up() {
	$ip ${1:+-n "$1"} addr add "$3/24" dev "$2"
	$ip ${1:+-n "$1"} addr add "$4/64" dev "$2" nodad 2>/dev/null
	$ip ${1:+-n "$1"} link set "$2" up
}

driver_unload() { rmmod ib_ipoib; }

# sender_only on|off: the fabric drops, and counts, what ib0 sends; the neighbour stays known.
sender_only() {
	local lladdr
	case $1 in
	on)
		lladdr=$($ip -n peer -o link show ib1 | sed -n 's/.*link\/infiniband \([0-9a-f:]*\) .*/\1/p')
		ping -c 1 -W 1 $PEER_ADDR >/dev/null || return 1
		$ip neigh replace $PEER_ADDR lladdr "$lladdr" dev ib0 nud permanent || return 1
		echo 1 >/sys/kernel/debug/softib/softib0/drop_unicast
		;;
	off)
		echo 0 >/sys/kernel/debug/softib/softib0/drop_unicast
		$ip neigh del $PEER_ADDR dev ib0 2>/dev/null
		;;
	esac
}

# hca_counter NAME [DEVICE]: one of softib's counters.
hca_counter() { cat "/sys/class/infiniband/${2:-softib0}/ports/1/hw_counters/$1"; }

# hca_balance [DEVICE]: how many sends were asked for and how many have ended: delivered, dropped and counted, in error or
# discarded by a reset. True if all have. One process reads all counters, so that next to nothing is sent between the first and
# the last of them.
hca_balance() {
	(cd "/sys/class/infiniband/${1:-softib0}/ports/1/hw_counters" &&
		cat tx_wrs tx_delivered tx_errors tx_discarded drop_*) |
		awk 'NR == 1 { wrs = $1; next } { fates += $1 }
			END { print wrs " requests, " fates " fates"; exit NR <= 4 || fates != wrs }'
}
hca_balanced() { hca_balance "$@" >/dev/null; }

# Kernel log lines that no test may leave behind.
log_faults() { dmesg | grep -E 'WARNING|BUG|ODEBUG|UBSAN|Call Trace|Oops|timing out|timed out|unregister_netdevice|refcount|leak'; }
