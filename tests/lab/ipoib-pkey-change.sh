# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a partition goes and comes back under a child's traffic: its sends are reclaimed at once, then it works again
# timeout: 180
. tests/lab/ipoib.inc

child=ib0.8001 child_addr=10.0.1.1 far_addr=10.0.1.2

master() { sminfo | grep -q SMINFO_MASTER; }
in_partition() { grep -qi 0x8001 /sys/class/infiniband/softib0/ports/1/pkeys/*; }
not_in_partition() { ! in_partition; }
far_answers() { ping -c 1 -W 1 -I $child $far_addr; }
going_on() { [ $(($(hca_counter tx_delivered) - delivered)) -gt 300 ]; }
all_retired() { [ "$(hca_outstanding)" = 0 ] && [ "$(stat tx_outstanding $child)" = 0 ]; }

# partitions [LINE]: a subnet manager that knows the default partition and, with LINE, another one.
partitions() {
	mkdir -p /etc/opensm
	printf 'Default=0x7fff, ipoib : ALL=full;\n%s\n' "$1" >/etc/opensm/partitions.conf
	opensm_stop || die "OpenSM does not end"
	opensm_start
	wait_until 30 master || die "no subnet manager"
}
one='one=0x0001, ipoib : ALL=full;'

trap 'rm -f /etc/opensm/partitions.conf; kill $flow 2>/dev/null' EXIT
partitions "$one"
wait_until 20 in_partition || die "softib0 is not in the partition"
set_rate 32 1000000
echo 0x8001 >"$knobs"/create_child || die "no child of ib0"
in_peer sh -c 'echo 0x8001 >/sys/class/net/ib1/create_child' || die "no child of ib1"
"$ip" link set ib1.8001 netns peer || die "ib1's child does not move"
interface_up "" $child $child_addr fd01::1
interface_up peer ib1.8001 $far_addr fd01::2
wait_until 20 far_answers || die "no answer over the partition"

for round in 1 2; do
	"$ubench" UDP_STREAM -P 0 -N -H $far_addr -l 100 -- -m 1000 -p 9 >/dev/null 2>&1 &
	flow=$!
	delivered=$(hca_counter tx_delivered)
	wait_until 5 going_on || die "round $round: no traffic over the partition"
	partitions
	wait_until 20 not_in_partition || die "round $round: softib0 stays in the partition"
	wait_until 5 all_retired || die "round $round: $(stat tx_outstanding $child) sends held by a child without a partition"
	wait_until 20 peer_answers || die "round $round: the parent does not answer"
	partitions "$one"
	wait_until 20 in_partition || die "round $round: softib0 does not get its partition back"
	wait_until 20 far_answers || die "round $round: no answer over the partition that came back"
	delivered=$(hca_counter tx_delivered)
	wait_until 10 going_on || die "round $round: the flow does not go on"
	# An event without a change.
	echo pkey_change >/sys/kernel/debug/softib/softib0/port1/event
	delivered=$(hca_counter tx_delivered)
	wait_until 5 going_on || die "round $round: no traffic after an event without a change"
	kill $flow
	wait $flow
done
gone() { [ ! -e /sys/class/net/$child ]; }
echo 0x8001 >"$knobs"/delete_child || die "delete_child is refused"
wait_until 5 gone || die "the child stays"
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends of ib0 are held"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted: $(hca_balance)"
[ "$(hca_counter ah_destroyed_in_use)" = 0 ] || die "an address handle went while a send named it"
