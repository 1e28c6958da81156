#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: `report --check` accepts stored and fresh runs, and names the place in one that breaks the schema or its own figures
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

sweep --iface ib0 --rates 1,8 --repeat 2 --output "$work/run" -- UDP_STREAM -N -H 127.0.0.1 -l -2000 -- -m 100
[ $status = 0 ] || fail "exit $status"
mapfile -t stored < <(find results -mindepth 3 -maxdepth 3 -name run.json)
"$ubench" report --check "$work/run" "${stored[@]}" 2>"$work/err" || fail "a good run is refused"

# broken FILTER TEXT: the run changed by a jq filter is refused with TEXT
broken() {
	mkdir -p "$work/broken"
	jq "$1" "$work/run/run.json" >"$work/broken/run.json"
	status=0
	"$ubench" report --check "$work/broken" >/dev/null 2>"$work/err" || status=$?
	saw 1 "$2" || fail "$1: exit $status"
}
broken '.schema_version = 3' 'schema_version: none of the allowed values'
broken '.repeats[1].rate = "8"' 'repeats/1/rate: of none of the allowed types'
broken 'del(.start.utc)' "start: 'utc' is missing"
broken '.plan.typo = 1' "plan: 'typo' is not known"
broken '.repeats[0].result.end.sum_sent.packets = -1' 'repeats/0/result/end/sum_sent/packets: below 0'
broken '.repeats[0].result.end.sum_sent.packets += 100' 'points: not what the repeats give'
broken '.points[0].sender_pps += 1' 'points: not what the repeats give'
broken '.findings.recommended = "32"' 'findings: not what the repeats give'
