#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: a sweep killed with SIGKILL at ten random moments loses no finished repeat, restores the knob each time and ends whole
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

partial=$work/.result.partial
RANDOM=$(date +%s)
begin=(--iface ib0 --rates "1,4,8,16,32" --repeat 12 --warmup 0 --seed 9 --output "$work/result" --
	UDP_STREAM -N -H 127.0.0.1 -l 0.05 -- -m 100)
for kill in 1 2 3 4 5 6 7 8 9 10; do
	[ $kill = 1 ] || begin=(--resume "$partial")
	"$ubench" sweep "${begin[@]}" >/dev/null 2>"$work/err" &
	pid=$!
	poll 10 grep -qs '^Sweep of' "$work/err" || fail "sweep $kill does not begin"
	sleep "0.$(printf %03d $((RANDOM % 400)))"
	kill -KILL $pid
	wait $pid 2>/dev/null || true
	poll 10 idle || fail "the record is left after kill $kill"
	knob_is 3 || fail "tx_signal_rate is $(knob) after kill $kill, was 3"
	# What the progress called finished is on disk, whole.
	said=$(grep -c 'packets/s sent' "$work/err" || true)
	[ $kill = 1 ] && before=0
	kept=$(wc -l <"$partial/repeats.jsonl")
	[ "$kept" -ge $((before + said)) ] || fail "kill $kill: $said runs finished after $before, $kept are on disk"
	head -n "$kept" "$partial/repeats.jsonl" | jq -es 'all(.result.end.sum_sent.packets > 0)' >/dev/null || fail "kill $kill: a torn line"
	before=$kept
done
cp "$partial/repeats.jsonl" "$work/kept"
if [ "$before" -lt 3 ] || [ "$before" -ge 60 ]; then fail "$before of 60 runs before the last resume: the kills were not in the middle"; fi

sweep --resume "$partial"
[ $status = 0 ] || fail "the last resume ended with $status"
[ "$(tail -n1 "$work/out")" = "$work/result" ] || fail "the last line is not the path"
[ ! -e "$partial" ] || fail "the working directory is left"
jq -e '(.repeats | length) == 60 and ([.repeats[] | "\(.point)/\(.round)"] | unique | length) == 60' "$work/result/run.json" >/dev/null ||
	fail "the result is not the whole plan"
jq -cS --argjson n "$before" '.repeats[:$n][]' "$work/result/run.json" | cmp - <(jq -cS . "$work/kept") || fail "a finished repeat is lost or changed"
knob_is 3 || fail "tx_signal_rate is $(knob), was 3"

# Ctrl-C keeps them too, and says how to go on.
"$ubench" sweep --iface ib0 --rates 1,4 --repeat 1000 --output "$work/other" -- UDP_STREAM -N -H 127.0.0.1 -l 0.05 -- -m 100 \
	>/dev/null 2>"$work/err" &
pid=$!
poll 10 grep -qs 'round.*sent' "$work/err" || fail "no run finishes"
kill -TERM $pid
status=0
wait $pid || status=$?
saw 130 "finished runs are kept, go on with ubench sweep --resume $work/.other.partial" || fail "exit $status"
sweep --resume "$work/nothing"
saw 2 'is not what a sweep leaves' || fail "exit $status for a resume of nothing"
