#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: with a driver hook the sweep measures the unpatched driver too and puts back the driver and value of before
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

# Loads a "driver" that offers the knob (with its default) or not.
cat >"$work/hook" <<HOOK
#!/bin/sh
echo "\$1" >>"$work/hook.log"
case \$1 in
patched) echo 1 >"$net/tx_signal_rate" ;;
unpatched) rm -f "$net/tx_signal_rate" ;;
esac
HOOK
chmod +x "$work/hook"
few=(UDP_STREAM -N -H 127.0.0.1 -l -2000 -- -m 100)

sweep --iface ib0 --rates unpatched,1,8 --repeat 2 --order interleaved --driver-hook "$work/hook" --output "$work/first" -- "${few[@]}"
[ $status = 0 ] || fail "exit $status"
[ "$(tr '\n' ' ' <"$work/hook.log")" = "unpatched patched unpatched patched " ] || fail "hook: $(cat "$work/hook.log")"
[ "$(jq -c '[.repeats[].rate]' "$work/first/run.json")" = '[null,1,8,null,1,8]' ] || fail "rates in force"
grep -qE '^unpatched,[0-9.]+,,,,,1\.0000,[0-9.]+,[0-9.]*,,0,,1\.0000$' "$work/first/summary.csv" || fail "no unpatched baseline"
grep -qE '^8,[0-9.]+,,,,,[0-9.]+,[0-9.]+,[0-9.]*,,7,,[0-9.]+$' "$work/first/summary.csv" || fail "no ratio to unpatched"
knob_is 3 || fail "tx_signal_rate is $(knob), was 3"

# From and back to the unpatched driver; its limit is learnt only when the patched one is there.
rm "$net/tx_signal_rate"
sweep --iface ib0 --rates 1,64 --driver-hook "$work/hook" --output "$work/second" -- "${few[@]}"
saw 2 "bad rate '64'" || fail "exit $status for a rate over the limit"
sweep --iface ib0 --rates 1 --repeat 1 --driver-hook "$work/hook" --output "$work/second" -- "${few[@]}"
[ $status = 0 ] || fail "exit $status"
[ ! -e "$net/tx_signal_rate" ] || fail "the patched driver stays"

# A hook that fails, and one that does nothing.
sweep --iface ib0 --rates 1 --driver-hook "false" --output "$work/third" -- "${few[@]}"
saw 1 'the driver hook failed' || fail "exit $status for a failing hook"
[ ! -e "$work/third" ] || fail "a result of nothing"
