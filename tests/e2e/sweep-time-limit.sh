#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: a test that does not end is ended at --time-limit, the sweep fails with one line and the knob is as it was
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

begin=$SECONDS
sweep --iface ib0 --rates 1 --time-limit 1 --output "$work/result" -- "${endless[@]}"
saw 1 'the test did not end within 1 s' || fail "exit $status"
[ $((SECONDS - begin)) -lt 20 ] || fail "it took $((SECONDS - begin)) s"
[ "$(grep -c '^ubench' "$work/err")" = 1 ] || fail "not one error line"
nothing_left
