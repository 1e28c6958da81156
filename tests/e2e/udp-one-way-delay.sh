#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows one-way delays: as they are between two ends on one kernel, seen to grow with a queue on the way; relative to the least one, and
# said so, where the clocks differ (a time namespace).
. tests/e2e/lib/ubench.sh
start_server

client UDP_STREAM --json -l -500 --pps 1k -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.streams[0].delay | .clock == "same" and .count >= 490 and .count <= 500
	and .p50_ns > 1000 and .p50_ns < 20000000 and .p50_ns <= .p90_ns and .p90_ns <= .p99_ns and .p99_ns <= .max_ns'
# A socket buffer full of packets of 1042 bytes, some 100 of them, takes 83 ms through 10 Mbit/s.
tc -n $near qdisc add dev txsig0 root tbf rate 10mbit burst 2k limit 1m
client UDP_STREAM --json -l -400 -- -m 1000 -S 1M >"$work/slow.json"
holds "$work/slow.json" '.end.streams[0].delay | .max_ns > 30000000 and .max_ns < 2000000000'
tc -n $near qdisc del dev txsig0 root

near unshare --time --monotonic 100000 --fork "$ubench" UDP_STREAM -H 10.77.0.2 --json -l -500 --pps 1k -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.streams[0].delay | .clock == "relative" and .max_ns < 1000000000'

client UDP_STREAM --delay -P 0 -l 0.2 -- -m 100 >"$work/out"
grep -qE '^DELAY_US flow=0 clock=same p50=[0-9.]+ p90=[0-9.]+ p99=[0-9.]+ max=[0-9.]+$' "$work/out" || fail "$(cat "$work/out")"
