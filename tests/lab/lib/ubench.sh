# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# For lab tests of ubench over sockets: a veth pair from the guest's own namespace to `far`, a server at its far end.
tc=/usr/sbin/tc # busybox's own tc knows no netem

far_up() {
	$ip netns add far
	$ip link add near0 type veth peer name far0 netns far
	$ip addr add 10.79.0.1/24 dev near0
	$ip -n far addr add 10.79.0.2/24 dev far0
	$ip link set near0 up
	$ip -n far link set lo up
	$ip -n far link set far0 up
	$ip netns exec far "$KIT/build/ubench" server >/tmp/server.out 2>/tmp/server.err &
	server=$!
	wait_until 20 is_listening || fail "the server does not listen"
}

is_listening() { [ -n "$($ip netns exec far ss -Hltn 'sport = :12866')" ]; }

far_down() {
	kill "$server"
	wait "$server" 2>/dev/null
	$ip link del near0
	$ip netns del far
}

# run OPTIONS...: a UDP_STREAM to far, its document in /tmp/run.json, which must account for every packet.
run() {
	"$KIT/build/ubench" UDP_STREAM -H 10.79.0.2 --json "$@" >/tmp/run.json 2>/tmp/run.err ||
		fail "ubench $*: $(cat /tmp/run.err)" || return 1
	holds '.end | .sum_sent.packets == .sum_received.packets + .sum_received.lost_packets
		and .sum_received.lost_packets == ([.loss[]] | add)
		and .sum_received.lost_percent >= 0 and .sum_received.lost_percent <= 100'
}

# holds EXPRESSION: a jq expression is true of the document.
holds() {
	jq -e "$1" /tmp/run.json >/dev/null || fail "does not hold: $1 in $(jq -c .end /tmp/run.json)"
}
