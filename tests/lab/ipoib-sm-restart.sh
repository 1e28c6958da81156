# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: traffic at rate 32 goes on while the subnet manager is away and when a new one comes, and all of it is reclaimed
# timeout: 120
. tests/lab/ipoib.inc

master() { sminfo | grep -q SMINFO_MASTER; }
# Sent and delivered since $from: nothing in these steps may stop ib0.
going_on() { [ $(($(hca_counter tx_delivered) - from)) -gt 500 ]; }
goes_on() {
	from=$(hca_counter tx_delivered)
	wait_until 5 going_on || die "no traffic $1"
}

set_rate 32 1000000
"$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 100 -- -m 1000 -p 9 >/dev/null 2>&1 &
flow=$!
trap 'kill $flow 2>/dev/null' EXIT
goes_on "before"
opensm_stop || die "OpenSM does not end"
goes_on "without a subnet manager"
opensm_start
wait_until 30 master || die "no new subnet manager"
wait_until 30 ports_active || die "the ports are not active"
goes_on "under the new subnet manager"
# What a subnet manager asks of its clients, and the addresses it may have changed: groups are joined anew.
for event in client_reregister sm_change lid_change gid_change; do
	echo $event >/sys/kernel/debug/softib/softib0/port1/event
	goes_on "after $event"
done
kill $flow
wait $flow
wait_until 20 peer_answers || die "no answer in the end"
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends stay outstanding"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted as dropped: $(hca_balance)"
[ "$(stat tx_errors)" = 0 ] || die "$(stat tx_errors) TX errors"
[ "$(hca_counter ah_destroyed_in_use)" = 0 ] || die "an address handle went while a send named it"
