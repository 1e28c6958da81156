#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: bad rates, interfaces and options end a sweep with one clear line and the documented code before anything runs
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

# refused CODE TEXT ARGUMENTS...: one line with TEXT
refused() {
	local code=$1 text=$2
	shift 2
	sweep --output "$work/result" "$@"
	[ $status = "$code" ] || fail "exit $status, not $code: $*"
	[ "$(errors)" = 1 ] || fail "$(errors) lines on stderr: $*"
	grep -qF -- "$text" "$work/err" || fail "no '$text' for: $*"
	[ ! -s "$work/out" ] || fail "stdout is not empty: $*"
	nothing_left
}

for rate in 0 -1 33 4x ' 4' 1.5 0x4 99999999999999999999 ''; do
	refused 2 "allowed are 1..32" --iface ib0 --rates "1,$rate" -- "${short[@]}"
done
refused 2 "rate 4 is there twice" --iface ib0 --rates 4,04 -- "${short[@]}"
refused 2 "needs --driver-hook" --iface ib0 --rates unpatched,1 -- "${short[@]}"
refused 2 "no such interface: ib9" --iface ib9 --rates 1 -- "${short[@]}"
refused 2 "cannot be an interface" --iface ../ib0 --rates 1 -- "${short[@]}"
refused 2 "--iface is missing" --rates 1 -- "${short[@]}"
refused 2 "no test after" --iface ib0 --rates 1
refused 2 "'sweep' is no test" --iface ib0 -- sweep
refused 2 "allowed are 1..10000" --iface ib0 --repeat 0 -- "${short[@]}"
refused 2 "KEY=VALUE" --iface ib0 --note nothing -- "${short[@]}"
refused 1 "nowhere: No such file" --iface ib0 --compare nowhere -- "${short[@]}"

mkdir "$work/sys/class/net/eth0"
refused 1 "eth0 has no tx_signal_rate" --iface eth0 --rates 1 -- "${short[@]}"

# The very binary, where an unprivileged user can reach it.
cp "$ubench" "$work/ubench"
ubench="setpriv --reuid=65534 --regid=65534 --clear-groups $work/ubench"
# shellcheck disable=SC2086 # several words on purpose
status=0 && $ubench sweep --iface ib0 --rates 1 --output "$work/result" -- "${short[@]}" >"$work/out" 2>"$work/err" || status=$?
saw 1 "not root" || fail "exit $status without root"
[ "$(errors)" = 1 ] || fail "more than one line without root"
nothing_left
