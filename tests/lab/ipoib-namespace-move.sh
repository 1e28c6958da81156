# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: ib0 moves between namespaces with packets unreclaimed and under traffic, in under 1 s, and keeps its knobs
# timeout: 120
. tests/lab/ipoib.inc

in_own() { "$ip" netns exec own "$@"; }
own_answers() { in_own ping -c 1 -W 1 "$PEER_ADDR"; }
sent_more() { [ $(($(hca_counter tx_wrs) - wrs)) -gt 200 ]; }
all_retired() { [ "$(hca_outstanding)" = 0 ]; }

"$ip" netns add own
# The better of the rounds counts: the host's load only adds time.
away=999999 back=999999
for round in 1 2 3; do
	set_rate 32 1000000
	send 40 1000
	ms=$(took "$ip" link set ib0 netns own) || exit 1
	echo "round $round: moved with stragglers after $ms ms"
	[ "$ms" -ge "$away" ] || away=$ms
	all_retired || die "$(hca_outstanding) sends outstanding on an interface that has moved"
	[ "$(in_own cat $knobs/tx_signal_rate)" = 32 ] || die "the rate did not move along"
	interface_up own ib0 "$SENDER_ADDR" "$SENDER_ADDR6"
	wait_until 20 own_answers || die "no answer from the namespace"

	wrs=$(hca_counter tx_wrs)
	"$ip" netns exec own "$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 60 -- -m 1000 -p 9 >/dev/null 2>&1 &
	flow=$!
	wait_until 5 sent_more || die "no traffic in the namespace"
	ms=$(took "$ip" -n own link set ib0 netns 1) || exit 1
	echo "round $round: moved back under traffic after $ms ms"
	kill "$flow" 2>/dev/null
	wait "$flow"
	[ "$ms" -ge "$back" ] || back=$ms
	all_retired || die "$(hca_outstanding) sends outstanding after the move back"
	interface_up "" ib0 "$SENDER_ADDR" "$SENDER_ADDR6"
	wait_until 20 peer_answers || die "no answer at home"
done
[ $away -lt 1000 ] || die "a move with stragglers takes $away ms"
[ $back -lt 1000 ] || die "a move under traffic takes $back ms"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted as dropped: $(hca_balance)"
"$ip" netns del own
