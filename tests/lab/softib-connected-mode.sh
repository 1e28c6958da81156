# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# shows: stock and patched IPoIB run in connected mode over softib, MTU 65520, with and without SRQ, and come back after a port flap
# driver: none
# timeout: 180
. tests/lab/ipoib.inc
. tests/lab/connected.inc

link=/sys/kernel/debug/softib/softib0/port1/link
server_listens() { in_peer ss -Hltn 'sport = :12866' | grep -q 12866; }
links_active() { ports_active && [ "$(cat /sys/class/net/ib0/carrier)" = 1 ]; }

# A second of TCP must carry messages of the MTU's size by the connection, and arrive.
tcp_flows() {
	local wrs
	wrs=$(hca_counter rc_wrs)
	$ip netns exec peer $ubench server >/tmp/server.log 2>&1 &
	server=$!
	wait_until 10 server_listens || die "$1: no server: $(cat /tmp/server.log)"
	$ubench TCP_STREAM -H $PEER_ADDR -l 1 --json -- -m 60000 >/tmp/tcp.json 2>/tmp/tcp.err ||
		die "$1: TCP_STREAM: $(cat /tmp/tcp.err)"
	kill $server
	wait $server 2>/dev/null
	jq -e '.end.sum_received.bytes > 1000000' /tmp/tcp.json >/dev/null || die "$1: $(jq -c .end.sum_received /tmp/tcp.json)"
	echo "$1: $(jq .end.sum_received.bytes /tmp/tcp.json) bytes of TCP in $(($(hca_counter rc_wrs) - wrs)) messages"
	[ $(($(hca_counter rc_wrs) - wrs)) -gt 20 ] || die "$1: TCP did not go by the connection"
}

flap() {
	echo down >$link
	large_ping >/dev/null && die "$1: an answer without a link"
	echo up >$link
	wait_until 40 links_active || die "$1: the link does not come back"
	wait_until 20 large_ping || die "$1: no answer after the flap"
}

connected_works() {
	both_connected || die "$1: no connected mode"
	wait_until 10 large_ping || die "$1: no large echo"
	large_ping 10 | grep -q ' 0% packet loss' || die "$1: large echoes are lost"
	[ "$(connections)" -ge 2 ] || die "$1: $(connections) connections, not one in each direction"
	tcp_flows "$1"
	flap "$1"
	wait_until 5 rc_idle || die "$1: $(rc_outstanding) sends of connections outstanding"
	wait_until 5 hca_balanced || die "$1: a send is neither delivered nor counted: $(hca_balance)"
}

for driver in stock patched; do
	[ $driver = stock ] && srq=1 || srq=0
	fabric_up srq=$srq || die "no fabric"
	driver_load $driver || die "no driver"
	connected_works "$driver, srq=$srq"
	$ip netns del peer
	rmmod ib_ipoib || die "$driver does not unload"
	[ "$(connections)$(connections softib1)" = 00 ] || die "$driver leaves connections"
	fabric_down || die "no end of the fabric"
done
