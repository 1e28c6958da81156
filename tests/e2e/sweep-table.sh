#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: a sweep prints netperf's table of each point and one summary, stores run.json and summary.csv, puts the knob back
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

start_server
sweep --iface ib0 --rates 1,4,32 --repeat 3 --seed 5 --output "$work/result" --note why=test \
	--compare results/reference/ipoib-tx-signal-2006 -- "${short[@]}"
[ $status = 0 ] || fail "exit $status"
[ "$(tail -n1 "$work/out")" = "$work/result" ] || fail "the last line is not the path"
[ "$(grep -c '^PPS=' "$work/out")" = 3 ] || fail "not one netperf table a point"
[ "$(grep -c 'Okay Errors' "$work/out")" = 3 ] || fail "no netperf headers"
grep -q '^rate .*sender PPS.*recv PPS.*loss %.*spread %' "$work/out" || fail "no summary table"
grep -q '^unpatched .* 230508 ' "$work/out" || fail "the reference is not beside the run"
[ "$(ls "$work/result")" = $'run.json\nsummary.csv' ] || fail "result holds: $(ls "$work/result")"

header=tx_signal_rate,sender_pps,receiver_pps,loss_percent,cqes_per_packet,events_per_packet,ratio_to_unpatched,spread_percent
header+=,sender_cpu_us_per_packet,receiver_cpu_us_per_packet,held_packets_max,held_usecs_max,ratio_to_baseline
[ "$(head -n1 "$work/result/summary.csv")" = $header ] || fail "header of summary.csv"
[ "$(cut -d, -f1 "$work/result/summary.csv" | tail -n +2 | tr '\n' ' ')" = "1 4 32 " ] || fail "rows of summary.csv"
grep -qE '^4,[0-9.]+,[0-9.]+,[0-9.]+,,,,[0-9.]+,[0-9.]+,[0-9.]+,3,,[0-9.]+$' "$work/result/summary.csv" || fail "figures of summary.csv"

order=$(jq -r '[.repeats[] | "\(.point)/\(.round)"] | join(" ")' "$work/result/run.json")
[ "$(tr ' ' '\n' <<<"$order" | sed 's/.*\///' | tr '\n' ' ')" = "1 1 1 2 2 2 3 3 3 " ] || fail "rounds: $order"
[ "$(tr ' ' '\n' <<<"$order" | sort -u | wc -l)" = 9 ] || fail "not every point in every round: $order"
jq -e '.repeats | all(.result.end.sum_sent.packets ==
	.result.end.sum_received.packets + .result.end.sum_received.lost_packets)' "$work/result/run.json" >/dev/null ||
	fail "sent is not received + lost"
jq -e '.start.notes.why == "test" and .start.rate_before == 3 and .start.rate_max == 32
	and .plan.seed == 5 and .plan.order == "random" and (.warmups | length) == 1' "$work/result/run.json" >/dev/null ||
	fail "run.json does not say how it was made"
[ "$(grep -c '^\[ *[0-9]*/10\] \(round\|warm-up\)' "$work/err")" = 10 ] || fail "progress in a log is not one line a run"
knob_is 3 || fail "tx_signal_rate is $(knob), was 3"
idle || fail "a record is left"

sweep --iface ib0 --rates 1,4,32 --repeat 3 --seed 5 --warmup 0 --output "$work/again" -- UDP_STREAM -N -H 127.0.0.1 -l -100 -- -m 100
[ "$(jq -r '[.repeats[] | "\(.point)/\(.round)"] | join(" ")' "$work/again/run.json")" = "$order" ] || fail "one seed, two orders"

"$ubench" report --check "$work/result" || fail "the result breaks the schema"
"$ubench" report --csv "$work/result" | diff - "$work/result/summary.csv" || fail "report --csv differs"
sweep --iface ib0 --rates 1 --repeat 1 --output "$work/tcp" -- TCP_STREAM -H 127.0.0.1 -p "$port" -l 0.2
[ $status = 0 ] || fail "exit $status for TCP_STREAM"
grep -q '^TCP STREAM TEST' "$work/out" || fail "another test's table for TCP_STREAM"

sweep --iface ib0 --rates 1 --repeat 1 --output "$work/result" -- "${short[@]}"
[ $status = 2 ] || fail "an existing result is written over, exit $status"
