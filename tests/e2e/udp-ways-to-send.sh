#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that every way to send accounts for every packet: one send, sendmmsg, UDP_SEGMENT, a pace with its gaps (iperf #386, netperf
# #39), several flows with their fairness; and a warm-up that changes nothing about the account (iperf #412, #1489).
. tests/e2e/lib/ubench.sh
start_server
run() {
	client UDP_STREAM --json "$@" >"$work/run.json" 2>"$work/err" || fail "$* ($(cat "$work/err"))"
	holds_account "$work/run.json"
}
sent() { holds "$work/run.json" ".end.sum_sent.packets == $1"; }

run -l -10001 --batch 64 -- -m 100
sent 10001
run -l -10001 --gso 10 -- -m 100
sent 10001
run -l 0.3 --gso 64 -- -m 1000
run -l -500 --pps 1k -- -m 100 -S 200000
sent 500
holds "$work/run.json" '.end.sum_sent.seconds > 0.45 and .end.sum_received.lost_packets == 0
	and (.end.streams[0].gaps | .p50_ns > 500000 and .p50_ns < 4000000 and .p99_ns >= .p50_ns and .max_ns >= .p99_ns)'
holds "$work/run.json" '.end.sum_received.jitter_ms >= 0'
run -l -500 --rate 800k -- -m 100 -S 200000
holds "$work/run.json" '.end.sum_sent | .seconds > 0.45 and .bits_per_second < 900e3'
run -l 1 --pps 200 --threads 4 -- -m 100
holds "$work/run.json" '.end.fairness > 0.5 and .end.fairness <= 1 and .end.sum_sent.packets <= 4 * 220'

# Warm-up: far more packets than the counted part, and losses in it that must not show.
run --omit 1 -l -200 --pps 1k -- -m 100 -S 200000
sent 200
holds "$work/run.json" '.end.sum_received | .lost_packets == 0 and .duplicates == 0 and .foreign == 0 and .seconds < 0.9'
run --omit 0.5 -l 0.5 -D 0.1 -- -m 100 -S 1
holds "$work/run.json" '.end.sum_sent.seconds < 0.9 and .end.sum_received.duplicates == 0
	and ([.intervals[].packets] | add) <= .end.sum_sent.packets'
client TCP_STREAM --json --omit 0.5 -l 0.5 -D 0.1 >"$work/run.json"
holds "$work/run.json" '.end.sum_sent.bytes == .end.sum_received.bytes and .end.sum_sent.bytes > 0'
for bad in '--batch 2 --gso 2' '--gso 64 -- -m 1400' '--batch 0' '--pps 0' '--pps 1 --rate 1k' '--rate 0' '--gso 65'; do
	# shellcheck disable=SC2086
	expect 2 client UDP_STREAM $bad
done
