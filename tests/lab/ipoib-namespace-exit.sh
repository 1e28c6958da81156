# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# lab: qemu uml
# shows: idle ib0 keeps no conntrack entry past its bound, and a namespace deleted right after sending is gone in time
# timeout: 120
. tests/lab/ipoib.inc

bound_ms=200 conntrack_s=1

in_own() { "$ip" netns exec own "$@"; }
own_answers() { in_own ping -c 1 -W 1 "$PEER_ADDR"; }
count() { in_own cat /proc/sys/net/netfilter/nf_conntrack_count; }
# Reading the table drops the entries that timed out; one that a packet refers to stays counted.
no_entries() { in_own cat /proc/net/nf_conntrack >/dev/null && [ "$(count)" = 0 ]; }
at_home() { [ -e "$knobs" ]; }
last_is_gone() { [ ! -e /sys/class/net/last0 ]; }

# Over tx-copybreak: the driver holds the packet itself, and with it the connection's entry. A guest that stood still for the
# whole bound after sending sends again.
send_large() {
	local try held
	for try in 1 2 3 4 5; do
		in_own "$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l -40 -- -m 1000 -p 9 >/dev/null || die "sending failed"
		held=$(hca_outstanding)
		[ "$held" = 0 ] || break
	done
	[ "$held" != 0 ] || die "no packet is waiting after $try tries"
	[ "$(count)" -ge 1 ] || die "nothing is tracked"
}

rmmod nf_conntrack 2>/dev/null
modprobe nf_conntrack enable_hooks=1 || die "no conntrack"
trap 'rmmod nf_conntrack' EXIT
set_rate 32 $((bound_ms * 1000))

# enter_own: ib0 in a namespace of its own, where connections are forgotten in a second
enter_own() {
	"$ip" netns add own
	"$ip" link set ib0 netns own || die "ib0 does not move"
	for timeout in udp icmp icmpv6 generic; do
		in_own sh -c "echo $conntrack_s >/proc/sys/net/netfilter/nf_conntrack_${timeout}_timeout"
	done
	interface_up own ib0 "$SENDER_ADDR" "$SENDER_ADDR6"
	wait_until 20 own_answers || die "no answer from the namespace"
}

enter_own
wait_until 10 no_entries || die "$(count) entries before the test: $(in_own cat /proc/net/nf_conntrack)"
send_large
start=$(uptime_ms)
wait_until 10 no_entries || die "$(count) entries are held for good"
ms=$(($(uptime_ms) - start))
echo "no entry after $ms ms"
[ $ms -le $((bound_ms + conntrack_s * 1000 + 1000)) ] || die "an entry is held for $ms ms"

# delete_own: how long the namespace takes to go, in ms. Namespaces end one after the other: one deleted once ib0 is back is
# gone only after `own`.
delete_own() {
	local start
	start=$(uptime_ms)
	"$ip" netns del own
	wait_until 10 at_home || die "ib0 does not come back"
	"$ip" netns add last
	"$ip" link add last0 type veth peer name far0 netns last || die "no second namespace"
	"$ip" netns del last
	wait_until 10 last_is_gone || die "the namespace is never gone"
	ms=$(($(uptime_ms) - start))
	echo "namespace gone after $ms ms"
}

# A slow host adds to each round; one in time shows that nothing waited for a packet.
limit_ms=$((bound_ms + 1000))
for round in 1 2 3; do
	[ $round = 1 ] || enter_own
	send_large
	delete_own
	[ $ms -gt $limit_ms ] || break
done
[ $ms -le $limit_ms ] || die "the namespace is gone after $ms ms only"
