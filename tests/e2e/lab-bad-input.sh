#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows: the lab refuses bad input, and a guest that does not boot, with one line, its exit code, and nothing left behind.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
lab=
trap '[ -z "$lab" ] || kill "$lab" 2>/dev/null || true; rm -rf "$work"' EXIT

# expect CODE TEXT COMMAND...: the command ends with CODE and says TEXT on stderr.
expect() {
	local code=$1 text=$2 status=0
	shift 2
	"$@" >"$work/out" 2>"$work/err" || status=$?
	if [ "$status" != "$code" ] || ! grep -qF -- "$text" "$work/err"; then
		echo "$*: exit $status, wanted $code and '$text':"
		cat "$work/err"
		exit 1
	fi
}

expect 2 "usage: lab/lab" "$top/lab/lab"
expect 2 "--repeat '0'" "$top/lab/lab" sweep --repeat 0
expect 2 "--packets '1x'" "$top/lab/lab" sweep --exact --packets 1x
expect 2 "--cost '1500'" "$top/lab/lab" sweep --exact --cost 1500
expect 2 "no option '--bogus'" "$top/lab/lab" sweep --bogus
expect 2 "no such run" "$top/lab/lab" sweep --compare results/reference/none
expect 1 "must be 6.1 or 6.12" "$top/lab/lab" run --kernel 5.10 true
expect 1 "must be kvm or tcg" env TXSIG_ACCEL=xen "$top/lab/lab" run --bare true
expect 125 "the guest did not boot: not ready after 0 s" env TXSIG_ACCEL=tcg TXSIG_BOOT_SECONDS=0 "$top/lab/lab" run --bare true

results=$(ls "$top/results")
expect 1 "the sweep failed in the guest" env TXSIG_ACCEL=tcg TXSIG_BOOT_SECONDS=0 "$top/lab/lab" sweep
[ "$results" = "$(ls "$top/results")" ] || { echo "a failed sweep left something in results/"; exit 1; }

# What a user interrupts ends, and takes its guest with it.
TMPDIR=$work TXSIG_ACCEL=tcg setsid "$top/lab/lab" run --bare sleep 600 >"$work/out" 2>"$work/err" &
lab=$!
guest_of() { pgrep -f "serial file:$work/.*/console.log" >/dev/null; }
for _ in $(seq 300); do guest_of && break; sleep 0.1; done
guest_of || { echo "no guest was started"; exit 1; }
kill -TERM "$lab"
wait "$lab" && { echo "an interrupted run exits 0"; exit 1; }
for _ in $(seq 100); do guest_of || break; sleep 0.1; done
if guest_of; then
	echo "the guest outlives its lab run"
	exit 1
fi
