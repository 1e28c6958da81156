#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows packets to a multicast group, IPv4 and IPv6: the server joins on the interface of its control connection and counts each
# packet; the interface and the hops are the sender's choice; the server leaves the group at the end; with several receivers the loss of
# each is told, and the worst one's is the run's (iperf #27, #1913).
. tests/e2e/lib/ubench.sh
start_server
member() { far ip maddr show dev txsig1 | grep "$1" >/dev/null; }
no_member() { ! member "$1"; }

near "$ubench" UDP_STREAM -H 10.77.0.2%txsig0 --json -l -500 --pps 5k -- -m 100 -H 239.77.0.1 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_received.packets == 500'
near "$ubench" UDP_STREAM -H fd77::2%txsig0 --json -l -500 --pps 5k --ttl 4 -- -m 100 -H ff15::77 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_received.packets == 500'

ip -n $near route add 239.0.0.0/8 dev txsig0
start_client UDP_STREAM --json -l 4 --pps 100 -- -m 100 -H 239.77.0.1
poll 5 member 239.77.0.1 || fail "the server has not joined"
client_status 10
poll 5 no_member 239.77.0.1 || fail "the server is still a member"
expect 2 client TCP_STREAM --ttl 4
expect 2 client UDP_STREAM --receiver 10.77.0.2
expect 2 client UDP_STREAM --receiver 10.77.0.2 -- -H 10.77.0.2

# A third host, behind a bridge with the second: it takes little of what comes.
third=txsig-third-$$
ip netns add $third
pids_of_third() { ip netns pids $third; }
end_third() {
	pids_of_third | xargs -r kill
	ip netns del $third
}
trap 'end_third; cleanup' EXIT
ip -n $near link add txsigbr type bridge mcast_snooping 0
ip -n $near addr del 10.77.0.1/24 dev txsig0
ip -n $near addr add 10.77.0.1/24 dev txsigbr
ip -n $near link set txsig0 master txsigbr
ip -n $near link add txsig2 type veth peer name txsig3 netns $third
ip -n $near link set txsig2 master txsigbr up
ip -n $near link set txsigbr up
ip -n $third link set lo up
ip -n $third link set txsig3 up
ip -n $third addr add 10.77.0.3/24 dev txsig3
ip netns exec $third "$ubench" server "${common_options[@]}" >/dev/null 2>"$work/third.err" &
third_listens() { [ -n "$(ip netns exec $third ss -Hltn 'sport = :12866')" ]; }
poll 10 third_listens || fail "the third host's server does not listen: $(cat "$work/third.err")"
# Its cable carries half of the 2.3 Mbit/s that are sent.
tc -n $near qdisc add dev txsig2 root tbf rate 1mbit burst 2k limit 3k
near "$ubench" UDP_STREAM -H 10.77.0.2%txsigbr --receiver 10.77.0.3%txsigbr --json -l -1000 --pps 2k -- -m 100 -H 239.77.0.1 \
	>"$work/run.json" 2>"$work/err" || fail "$(cat "$work/err")"
holds_account "$work/run.json"
holds "$work/run.json" '.end | (.receivers | length) == 2 and .receivers[0].host == "10.77.0.2" and .receivers[1].host == "10.77.0.3"
	and .receivers[0].received.packets == 1000 and (.receivers[1].received.lost_packets | . > 200 and . < 800)
	and .sum_received.lost_packets == .receivers[1].received.lost_packets'
