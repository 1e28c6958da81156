#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: --until-ci adds whole rounds until the widest interval is narrow enough or the limit is reached, and says so
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

few=(UDP_STREAM -N -H 127.0.0.1 -l -500 -- -m 100)
sweep --iface ib0 --rates 1,8 --repeat 2 --until-ci 0.000001 --max-repeat 4 --output "$work/limit" -- "${few[@]}"
[ $status = 0 ] || fail "exit $status"
grep -q 'After 4 rounds .* --max-repeat is reached' "$work/err" || fail "the limit is not named"
jq -e '.plan.repeats == 4 and (.repeats | length) == 8' "$work/limit/run.json" >/dev/null || fail "not four rounds"

sweep --iface ib0 --rates 1,8 --repeat 2 --until-ci 100 --output "$work/wide" -- UDP_STREAM -N -H 127.0.0.1 -l 0.2 -- -m 100
[ $status = 0 ] || fail "exit $status"
[ "$(tail -n1 "$work/err" | grep -c 'one more')" = 0 ] || fail "it stops in the middle"
"$ubench" report --check "$work/wide" "$work/limit" || fail "the result breaks the schema"
sweep --iface ib0 --until-ci 0 -- "${few[@]}"
saw 2 'bad --until-ci' || fail "exit $status for a width of 0"
