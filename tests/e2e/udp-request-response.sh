#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows UDP_RR: every transaction has its response, round-trip times are reported, losses become time-outs instead of a hang; and the
# server answers nobody but the host of the control connection with the run's nonce.
. tests/e2e/lib/ubench.sh
start_server

client UDP_RR --json -l -500 -- -r 100,1000 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.sum_sent.packets == 500 and .end.sum_received.lost_packets == 0
	and (.end.streams[0].round_trips | .count == 500 and .p50_ns > 0 and .p99_ns >= .p50_ns)'
client UDP_RR -P 0 -l 0.3 --flows 2 >"$work/out"
grep -qE '^TPS=[0-9.]+ RTT_P50_US=[0-9.]+ RTT_P99_US=[0-9.]+ TIMEOUTS=0$' "$work/out" || fail "$(cat "$work/out")"
expect 2 client UDP_RR -l -1 -- -r 31
expect 2 client UDP_RR -N -l -1

# Strangers' packets at the data port: none is answered.
start_client UDP_RR --json -l 3 -- -p 5555
poll 5 has_data || fail "no data"
near bash -c 'for _ in {1..200}; do printf "%64s" x >/dev/udp/10.77.0.2/5555; done'
client_status 10
[ $status -eq 0 ] || fail "exit $status: $(cat "$work/run.err")"
holds "$work/run" '.end.sum_received.foreign == 200 and .end.streams[0].round_trips.count == .end.sum_sent.packets'

# The server stands still for a while: one time-out a second, and the end in time.
start_client UDP_RR --json -l 3
poll 5 has_data || fail "no data"
pkill -STOP -P "$server"
sleep 2
pkill -CONT -P "$server"
client_status 10
holds "$work/run" '.end.sum_sent.packets > .end.streams[0].round_trips.count'
holds_account "$work/run"
