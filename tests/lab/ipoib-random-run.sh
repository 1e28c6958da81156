# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: random knob changes, link flaps and traffic both ways never stall ib0 for a second, and each send has one fate
# timeout: 1200
. tests/lab/ipoib.inc

# TXSIG_SOAK_SECONDS and TXSIG_SOAK_SEED come from the caller of tests/run-lab: `make soak` runs ten minutes. The seed is
# printed, so that the same steps can be done again.
seconds=${TXSIG_SOAK_SECONDS:-40}
seed=${TXSIG_SOAK_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
link=/sys/kernel/debug/softib/softib0/port1/link
there=/sys/class/net/ib1

# draw N: leaves a number below N in $draw, by a linear congruential generator.
draw() {
	state=$(((state * 1103515245 + 12345) % 2147483648))
	draw=$((state / 65536 % $1))
}

delivered() { hca_counter tx_delivered "$1"; }
carrier_is() { [ "$(cat $knobs/carrier)" = "$1" ]; }

# flow HERE|THERE WORDS...: an endless one, its process appended to $flows.
flow() {
	local prefix=
	[ "$1" = here ] || prefix="$ip netns exec peer"
	shift
	$prefix "$ubench" UDP_STREAM -P 0 -N -l 0 "$@" >/dev/null 2>&1 &
	flows="$flows $!" said="$said ($*)"
}

# Ends all flows and starts others, until their first packet is delivered: limited and not, small and large, one or both ways.
change_traffic() {
	local size rate
	# shellcheck disable=SC2086 # a list
	kill $flows 2>/dev/null
	wait
	flows='' said=''
	draw 1400
	size=$((draw + 20))
	draw 3
	rate=${draw#0} rate=${rate:+--pps $((rate * 300))}
	# shellcheck disable=SC2086 # two words or none
	flow here -H "$PEER_ADDR" $rate -- -m $size -p 9
	draw 2
	[ "$draw" = 0 ] || flow there -H "$SENDER_ADDR" --pps 500 -- -m $size -p 9
	draw 2
	[ "$draw" = 0 ] || flow there -H "$SENDER_ADDR" -- -m 100 -p 10
	await_delivery
}

change_knobs() {
	draw 32
	set_rate $((draw + 1))
	draw 5
	case $draw in 0) draw=0 ;; 1) draw=10 ;; 2) draw=1000 ;; 3) draw=20000 ;; *) draw=1000000 ;; esac
	echo "$draw" >"$knobs"/tx_signal_usecs || die "tx_signal_usecs $draw was refused"
	draw 3
	ethtool --set-tunable ib0 tx-copybreak $((draw * 128)) || die "tx-copybreak $((draw * 128)) was refused"
	draw 32
	in_peer sh -c "echo $((draw + 1)) >$there/tx_signal_rate" || die "ib1 refuses rate $((draw + 1))"
}

flap() {
	echo down >$link
	wait_until 10 carrier_is 0 || die "ib0 keeps its carrier"
	echo up >$link
	wait_until 40 ports_active || die "the ports do not come back"
	wait_until 20 carrier_is 1 || die "ib0 stays without a carrier"
	wait_until 20 peer_answers || die "no answer after the flap"
}

sender_runs() { [ -n "$flows" ] && kill -0 "$(echo "$flows" | cut -d" " -f2)" 2>/dev/null; }
restart() {
	link_down
	link_up || die "ib0 does not come back"
}

# What a stall looks like from ib0.
state_now() {
	echo "rate $(cat $knobs/tx_signal_rate), usecs $(cat $knobs/tx_signal_usecs), outstanding $(stat tx_outstanding)," \
		"flushes $(stat tx_flush); flows:$said; $("$ip" neigh show dev ib0); load $(cat /proc/loadavg)"
}

# Until the next packet is delivered: its time in $ms, and in $looks how often was looked.
await_delivery() {
	local start
	before=$(delivered softib0) start=$(uptime_ms) looks=0
	until moves; do
		looks=$((looks + 1)) ms=$(($(uptime_ms) - start))
		[ $ms -lt 10000 ] || die "step $steps of seed $seed, $did: ib0 has stalled: $(state_now)"
		usleep 50000
	done
	ms=$(($(uptime_ms) - start))
}

moves() { [ "$(delivered softib0)" != "$before" ]; }

state=$seed flows='' said='' steps=0 flaps=0 slowest=0 starved=0
echo "seed $seed, $seconds s"
trap 'kill $flows 2>/dev/null' EXIT
end=$(($(uptime_ms) + seconds * 1000))
while [ "$(uptime_ms)" -lt $end ]; do
	draw 10
	case $draw in
	0) did=flap flaps=$((flaps + 1)) ;;
	1) did=restart ;;
	2 | 3 | 4) did=change_traffic ;;
	*) did=change_knobs ;;
	esac
	$did
	# Without a route, flows may have ended.
	sender_runs || change_traffic
	steps=$((steps + 1))
	# Whatever was done: the next packet of an endless flow is delivered in time.
	await_delivery
	# A guest that its host lets stand still does not look ten times a second either: that is no stall of ib0.
	if [ $ms -ge 1000 ] && [ $looks -lt 10 ]; then
		starved=$((starved + 1))
	else
		[ $ms -le $slowest ] || slowest=$ms
		[ $ms -lt 1000 ] || die "step $steps of seed $seed, $did: nothing was delivered for $ms ms, $looks looks: $(state_now)"
	fi
	draw 5
	usleep $((draw * 20000))
done
# shellcheck disable=SC2086 # a list
kill $flows
wait
set_rate 32 20000
wait_until 20 peer_answers || die "seed $seed: no answer in the end"
wait_until 3 nothing_outstanding || die "seed $seed: $(stat tx_outstanding) sends are held"
for device in softib0 softib1; do
	wait_until 3 hca_balanced $device || die "seed $seed: a send of $device has no fate: $(hca_balance $device)"
done
[ "$(stat tx_errors)" = 0 ] || die "seed $seed: $(stat tx_errors) TX errors"
echo "seed $seed: $steps steps with $flaps flaps, $(hca_counter tx_wrs) and $(hca_counter tx_wrs softib1) sends, the longest wait $slowest ms, $starved times the guest stood still"
