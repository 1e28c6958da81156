#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: a sweep without a receiver prints "-", stores empty fields, and runs of one plan merge into one with more repeats
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

for seed in 1 2 3; do
	sweep --iface ib0 --rates 1,8 --repeat 1 --note lab.seed=$seed --note lab.what=same --output "$work/seed$seed" -- \
		UDP_STREAM -N -H 127.0.0.1 -l -5000 -- -m 100
	[ $status = 0 ] || fail "exit $status"
done
grep -q 'RX_PPS=- LOSS=-' "$work/out" || fail "no dash for what nobody counted"
grep -qE '^8,[0-9.]+,,,,,,,[0-9.]*,,7,,[0-9.]+$' "$work/seed1/summary.csv" || fail "fields of summary.csv: $(cat "$work/seed1/summary.csv")"

"$ubench" report --merge "$work/merged" "$work"/seed? >"$work/out" || fail "merge failed"
[ "$(tail -n1 "$work/out")" = "$work/merged" ] || fail "the last line is not the path"
grep -q 'ns/pkt' "$work/out" || fail "no nanoseconds per packet"
jq -e '.plan.repeats == 3 and (.repeats | length) == 6 and [.repeats[].round] == [1,1,2,2,3,3]
	and [.repeats[].run] == [1,1,2,2,3,3] and .start.notes == {"lab.what":"same"}
	and [.start.merged_from[].notes["lab.seed"]] == ["1","2","3"]' "$work/merged/run.json" >/dev/null || fail "merged run.json"
median=$(cat "$work"/seed?/summary.csv | sed -n 's/^8,\([0-9.]*\),.*/\1/p' | sort -n | sed -n 2p)
grep -q "^8,$median," "$work/merged/summary.csv" || fail "the merged figure is not the median $median"

sweep --iface ib0 --rates 1 --repeat 1 --output "$work/other" -- UDP_STREAM -N -H 127.0.0.1 -l -5000 -- -m 100
status=0
"$ubench" report --merge "$work/wrong" "$work/seed1" "$work/other" >/dev/null 2>"$work/err" || status=$?
saw 1 'differ in their points' || fail "runs of two plans were merged"
[ ! -e "$work/wrong" ] || fail "a result of a failed merge"
