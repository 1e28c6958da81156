# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a cable pulled and plugged in again under traffic leaves no packet held, and ib0 works again by itself
# timeout: 120
. tests/lab/ipoib.inc

link=/sys/kernel/debug/softib/softib0/port1/link

carrier_is() { [ "$(cat "$knobs"/carrier)" = "$1" ]; }
sent_more() { [ "$(hca_counter tx_delivered)" -gt "$((delivered + 1000))" ]; }

set_rate 32 1000000
for round in 1 2; do
	"$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 60 -- -m 100 -p 9 >/dev/null 2>&1 &
	flow=$!
	# shellcheck disable=SC2064 # this flow
	trap "kill $flow 2>/dev/null" EXIT
	delivered=$(hca_counter tx_delivered)
	wait_until 5 sent_more || die "round $round: no traffic before the flap"
	echo down >$link
	wait_until 10 carrier_is 0 || die "round $round: ib0 keeps its carrier"
	# Once with the flow still trying, once without.
	[ $round = 1 ] || { kill $flow; wait $flow; }
	wait_until 3 nothing_outstanding || die "round $round: $(stat tx_outstanding) sends held while the port is down"
	wait_until 3 hca_balanced || die "round $round: a send is neither delivered nor counted as dropped: $(hca_balance)"

	start=$(uptime_ms)
	echo up >$link
	wait_until 40 ports_active || die "round $round: the ports do not come back"
	wait_until 20 carrier_is 1 || die "round $round: ib0 stays without a carrier"
	wait_until 20 peer_answers || die "round $round: no answer after the flap"
	echo "round $round: back after $(($(uptime_ms) - start)) ms"
	[ $round = 2 ] || { kill $flow; wait $flow; }
done

# A path may be asked for once more after the first answer, and few packets wait for it.
burst_arrives() {
	delivered=$(hca_counter tx_delivered)
	send 2000
	sent_more
}
wait_until 10 burst_arrives || die "$(($(hca_counter tx_delivered) - delivered)) of 2000 packets delivered after the flaps"
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends stay outstanding"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted as dropped: $(hca_balance)"
