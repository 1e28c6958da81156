# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: unsignaled packets are held while the bound lasts and are all reclaimed when it has passed, at every rate
# timeout: 240
. tests/lab/ipoib.inc

# Room for a slow host between "the time is up" and "we looked": seconds where many guests share a CPU. What this test
# shows is that the flush comes by itself; the exact time is in ipoib-patch/README.md, measured in virtual time.
slack_ms=2500

# held RATE BOUND_MS PACKETS: sends them; leaves in $ms how long the driver or the HCA counted any as outstanding.
held() {
	local start
	set_rate "$1" $(($2 * 1000))
	wait_until 3 nothing_outstanding || die "rate $1: not quiet before the test"
	send "$3"
	start=$(uptime_ms)
	nothing_outstanding || deferred=$((deferred + 1))
	wait_until 10 nothing_outstanding || die "rate $1: $(stat tx_outstanding) packets are held for good"
	ms=$(($(uptime_ms) - start))
}

sender_only on || die "no sender-only mode"
deferred=0
for rate in 2 3 8 31 32; do
	for bound in 20 400; do
		best_of 3 held $rate $bound $((rate * 3 + 2))
		echo "rate $rate, bound $bound ms: nothing outstanding after $ms ms"
		[ "$ms" -le $((bound + slack_ms)) ] || die "rate $rate: held for $ms ms, the bound is $bound ms"
	done
done

[ $deferred -ge 5 ] || die "only $deferred times was a packet found waiting: nothing was deferred"

# The bound 0: the last packet of each burst is signaled, so nothing waits at all.
set_rate 32 0
send 100
wait_until 1 nothing_outstanding || die "a bound of 0 leaves packets outstanding"
