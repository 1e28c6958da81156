#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: the stored reference runs hold the published figures and regenerate their summaries without a difference
set -euo pipefail

for run in results/reference/*/; do
	build/ubench report --csv "$run" | diff - "$run/summary.csv"
	build/ubench report "$run" >/dev/null
done

# Packets as published, and packets per second within the rounding of the elapsed time.
run=results/reference/ipoib-tx-signal-2006
diff <(grep -v '^#' $run/published.csv | tail -n +2 | cut -d, -f1,3,8) \
	<(jq -r '.repeats[] | [.point, .result.end.sum_sent.packets, .result.end.sum_received.packets] | @csv' $run/run.json | tr -d '"')
grep -v '^#' $run/published.csv | tail -n +2 | while IFS=, read -r rate _ _ _ _ _ _ _ _ pps; do
	ours=$(sed -n "s/^$rate,\([0-9]*\).*/\1/p" $run/summary.csv)
	off=$(((ours - pps) * 10000 / pps))
	[ ${off#-} -le 4 ] || { echo "rate $rate: $ours packets/s, published $pps"; exit 1; }
done
build/ubench report results/reference/ipoib-tx-signal-2006 | grep -q '^PPS=328316 RX_PPS=200213 LOSS=39.018$'
