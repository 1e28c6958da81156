#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: any attribute of the interface and any option of the test can be the knob, two make a grid that can be resumed, all values come back
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh
few=(UDP_STREAM -N -H 127.0.0.1 -l -2000)
run() { jq -e "$1" "$work/$result/run.json" >/dev/null || fail "does not hold: $1"; }
queue_len_is() { [ "$(cat "$net/tx_queue_len" 2>/dev/null)" = "$1" ]; }
echo 256 >"$net/tx_queue_len"
echo 10 >"$net/tx_signal_usecs"

# The interface's own attribute beside the rate: a grid.
result=grid
sweep --iface ib0 --knob tx_signal_rate --knob sysfs:tx_queue_len=64,1024 --rates 1,8 --repeat 2 --output "$work/grid" -- "${few[@]}" -- -m 100
[ $status = 0 ] || fail "exit $status"
run '.plan.points == ["1/64", "1/1024", "8/64", "8/1024"] and .plan.baseline == "1" and (.repeats | length) == 8'
run '.start.settings_before == {"sysfs:tx_queue_len": "256"} and .schema_version == 2'
run '.repeats | all(.held.packets_max == .rate - 1 and .held.usecs_max == 10)'
run '[.points[].point] == ["1/64", "8/64", "1/1024", "8/1024"] and (.findings.slices | length) == 2'
[ "$(cut -d, -f1,2 "$work/grid/summary.csv" | tr '\n' ' ')" = \
	"tx_signal_rate,sysfs:tx_queue_len 1,64 8,64 1,1024 8,1024 " ] || fail "rows of the grid: $(cat "$work/grid/summary.csv")"
grep -q '^With sysfs:tx_queue_len 1024$' "$work/out" || fail "no table of the second slice"
grep -q '^\[2\] grid, sysfs:tx_queue_len 1024 (ratio to rate 1)$' "$work/out" || fail "the slices are not side by side"
grep -q 'held pkts.*held us' "$work/out" || fail "no held packets in the table"
queue_len_is 256 || fail "tx_queue_len is $(cat "$net/tx_queue_len"), was 256"
knob_is 3 || fail "tx_signal_rate is $(knob), was 3"
"$ubench" report --check "$work/grid" || fail "the grid breaks the schema"
"$ubench" report --html "$work/grid.html" "$work/grid" || fail "no page of a grid"
[ "$(grep -c '<caption>Medians' "$work/grid.html")" = 2 ] || fail "the page has not both slices"
grep -q '<caption>Sender packets per second, and ratio' "$work/grid.html" || fail "the page does not show the slices side by side"
grep -q 'sent, grid, sysfs:tx_queue_len 1024' "$work/grid.html" || fail "the page has no curve of the second slice"

# Options of the test, on both sides of its "--"; nothing of the host is touched.
result=options
sweep --knob option:-m=64,200 --knob global:--batch=1,4 --repeat 1 --output "$work/options" -- "${few[@]}" -- -m 9
[ $status = 0 ] || fail "exit $status"
run '[.repeats[] | {(.point): .result.end.message_bytes}] | add == {"64/1": 64, "64/4": 64, "200/1": 200, "200/4": 200}'
run '.repeats | map(select(.point == "64/4")) | all(.result.start.command_line | index("--batch") < index("--"))'
run '.plan.baseline == "64" and .start.interface == null and .findings.recommended == null'

# The baseline between the rounds tells what the host did meanwhile.
result=drift
sweep --knob option:-m=64,200 --repeat 3 --drift-check --output "$work/drift" -- "${few[@]}"
[ $status = 0 ] || fail "exit $status"
run '(.drift_checks | length) == 4 and (.repeats | length) == 6 and all(.drift_checks[]; .point == "64")'
run '.findings.drift_checks == 4 and (.points | all(.repeats == 3))'
grep -q '^Drift of the baseline, run 4 times over the sweep: ' "$work/out" || fail "the drift is not told"
"$ubench" report --check "$work/drift" || fail "drift checks break the schema"

# A killed grid goes on where it was, checks and all.
has_some() { [ "$(wc -l 2>/dev/null <"$work/.whole.partial/repeats.jsonl")" -ge 4 ] 2>/dev/null; }
"$ubench" sweep --knob option:-m=64,200 --knob global:--batch=1,4 --repeat 2 --drift-check --output "$work/whole" -- \
	UDP_STREAM -N -H 127.0.0.1 -l 0.05 >/dev/null 2>&1 &
pid=$!
poll 10 has_some || fail "the grid does not begin"
kill -KILL $pid
wait $pid 2>/dev/null || true
sweep --resume "$work/.whole.partial"
[ $status = 0 ] || fail "exit $status of --resume"
result=whole
run '(.repeats | length) == 8 and ([.repeats[] | "\(.point) \(.round)"] | unique | length) == 8'
run '[.drift_checks[].round] == [0, 1, 2]'

# refuse CODE TEXT ARGUMENTS...
refuse() {
	local code=$1 text=$2
	shift 2
	sweep "$@" -- "${few[@]}"
	saw "$code" "$text" || fail "exit $status for $*"
	[ "$(errors)" = 1 ] || fail "more than one line for $*"
}
refuse 2 "bad --knob 'speed=1'" --iface ib0 --knob speed=1
refuse 2 '--iface is missing' --knob sysfs:mtu=1
refuse 2 'has no values' --knob option:-m
refuse 2 'is there twice' --knob option:-m=1 --knob option:-m=2
refuse 2 'more than 2 --knob' --knob option:-m=1 --knob option:-s=2 --knob option:-S=2
refuse 2 'every --knob has its values' --knob option:-m=1 --rates 1
refuse 2 '--knob driver needs --driver-hook' --iface ib0 --knob driver
refuse 1 'ib0 has no sysfs:nothing' --iface ib0 --knob sysfs:nothing=1
ln -s /proc/sys/kernel/ostype "$net/fixed" # readable, and not to be written
refuse 1 'sysfs:fixed of ib0 could not be put back' --iface ib0 --knob sysfs:fixed=1
head -c 200 /dev/zero | tr '\0' x >"$net/long"
refuse 1 'ib0 has no sysfs:long: Value too large' --iface ib0 --knob sysfs:long=1
refuse 2 'for VERBS_UD' --knob signal-rate=1

# Killed, with and without its guard.
begin() {
	"$ubench" sweep --iface ib0 --knob sysfs:tx_queue_len=64 --output "$work/result$1" -- "${endless[@]}" >"$work/out" 2>"$work/err" &
	pid=$!
	poll 10 queue_len_is 64 || fail "the sweep does not begin"
	poll 10 pgrep -P $pid -f UDP_STREAM >/dev/null || fail "no test is running"
	guard=$(pgrep -P $pid -x ubench-guard)
}
begin 1
kill -KILL $pid
wait $pid 2>/dev/null || true
poll 10 queue_len_is 256 || fail "not restored after SIGKILL"
poll 10 idle || fail "the record is left"
begin 2
kill -KILL "$guard" $pid
wait $pid 2>/dev/null || true
queue_len_is 64 || fail "who restored it?"
sysfs-scripts/tx-signal-rate -n restore | grep -q 'would run: setting_set ib0 sysfs:tx_queue_len 256' || fail "a dry run says nothing"
sysfs-scripts/tx-signal-rate restore >"$work/out" || fail "restore failed"
grep -q 'tx_signal_rate 3, sysfs:tx_queue_len 256$' "$work/out" || fail "restore says: $(cat "$work/out")"
queue_len_is 256 || fail "restore left $(cat "$net/tx_queue_len")"
idle || fail "restore left the record"
