#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots the guest once: runs it until it powers off and leaves what it said in a directory.
#
# usage: boot.sh KERNEL_DIR INITRD DIR MODE [SEED]      MODE: timed, exact or shell, see machine.sh
# DIR gets console.log (the kernel's), job.log (the job's output) and, when the guest finished, out/ (its results).
# Exit: the job's own code; 125 when the guest did not boot, 126 when it died or overstayed.
# TXSIG_BOOT_SECONDS bounds the boot (120), TXSIG_RUN_SECONDS the whole run (3600).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"
# shellcheck source=lab/guest/machine.sh
. "$here/machine.sh"

# It ends with whoever started it, however that ended, and the machine with it.
[ -n "${TXSIG_BOUND:-}" ] || TXSIG_BOUND=1 exec setpriv --pdeathsig TERM "$0" "$@"
unset TXSIG_BOUND
[ $# -ge 4 ] || die "usage: boot.sh KERNEL_DIR INITRD DIR timed|exact|shell [SEED]"
kernel=$1 initrd=$2 dir=$3 mode=$4 seed=${5:-1}
boot_seconds=${TXSIG_BOOT_SECONDS:-120} run_seconds=${TXSIG_RUN_SECONDS:-3600}

machine_command "$kernel" "$initrd" "$dir" "$mode" "$seed"
output=$dir/machine.out errors=$dir/machine.err
[ "$(machine_of "$kernel")" != uml ] || output=$dir/console.log

# run_machine: until it powers off, or until it has had its time; leaves in $why which one that was, or nothing.
run_machine() {
	local pid start took
	machine_clear "$dir"
	setpriv --pdeathsig KILL "${machine[@]}" </dev/null >"$output" 2>"$errors" &
	pid=$!
	trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM HUP
	why=
	start=$SECONDS
	while kill -0 "$pid" 2>/dev/null; do
		took=$((SECONDS - start))
		if [ "$took" -ge "$boot_seconds" ] && ! machine_is_ready "$dir"; then
			why="not ready after ${boot_seconds} s" && break
		elif [ "$took" -ge "$run_seconds" ]; then
			why="still running after ${run_seconds} s" && break
		fi
		sleep 0.1
	done
	if [ -n "$why" ]; then
		kill "$pid" 2>/dev/null || true
	fi
	wait "$pid" 2>/dev/null || true
	trap - EXIT
}

if [ "$mode" = shell ]; then
	machine_clear "$dir"
	setpriv --pdeathsig KILL "${machine[@]}" 2>"$errors" || die "the machine failed: $(machine_last_words "$dir")"
else
	run_machine
	if ! machine_is_ready "$dir" && machine_lost_a_race "$dir"; then
		say "the emulator failed the guest while it booted ($(machine_last_words "$dir")): once more"
		run_machine
	fi
fi

if [ "$mode" != shell ] && ! machine_is_ready "$dir"; then
	printf 'lab: the guest did not boot: %s; its console is %s\n' "${why:-$(machine_last_words "$dir")}" "$dir/console.log" >&2
	exit 125
fi
mkdir -p "$dir/out"
if ! tar -C "$dir/out" -xf "$dir/out.tar" 2>/dev/null || [ ! -s "$dir/out/.exit" ]; then
	printf 'lab: the guest died: %s; its console is %s\n' "${why:-$(machine_last_words "$dir")}" "$dir/console.log" >&2
	exit 126
fi
rm -f "$dir/out.tar"
exit "$(cat "$dir/out/.exit")"
