#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: a run exports to flent's data format, version 3: one time axis, every series as long as it, raw values by Unix time
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

sweep --iface ib0 --rates 1,8 --repeat 2 --output "$work/run" -- UDP_STREAM -N -H 127.0.0.1 -l -2000 -- -m 100
[ $status = 0 ] || fail "exit $status"
"$ubench" report --flent "$work/run" >"$work/run.flent" || fail "no export"
jq -e '.version == 3 and (.x_values | length) == 4 and .x_values[0] == 0
	and (.results | keys) == ["1 sent PPS", "8 sent PPS"]
	and (.results | all(length == 4 and (map(select(. != null)) | length) == 2))
	and (.raw_values | all(length == 2 and all(.t > 1.7e9 and .val > 0)))
	and (.metadata | .TITLE == "run" and (.TIME | test("T[0-9:]+\\.[0-9]{6}Z$")) and .UBENCH_START.interface == "ib0")' \
	"$work/run.flent" >/dev/null || fail "not the format: $(cat "$work/run.flent")"
status=0
"$ubench" report --flent results/reference/ipoib-tx-signal-2006 >"$work/none" 2>"$work/err" || status=$?
saw 1 'have no time' || fail "exit $status for a published table"
[ ! -s "$work/none" ] || fail "output without a time series"
