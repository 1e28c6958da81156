#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots the guest once: runs QEMU until the guest powers off and leaves what it said in a directory.
#
# usage: boot.sh KERNEL_DIR INITRD DIR MODE [SEED]
#   MODE  timed   KVM or multi-threaded TCG with 2 CPUs, wall-clock time
#         exact   one CPU under -icount: virtual time, one nanosecond an instruction, the same on every run of a SEED
#         shell   timed, with the job on this terminal
# DIR gets console.log (the kernel's), job.log (the job's output) and, when the guest finished, out/ (its results).
# Exit: the job's own code; 125 when the guest did not boot, 126 when it died or overstayed.
# TXSIG_BOOT_SECONDS bounds the boot (120), TXSIG_RUN_SECONDS the whole run (3600).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"

[ $# -ge 4 ] || die "usage: boot.sh KERNEL_DIR INITRD DIR timed|exact|shell [SEED]"
kernel=$1 initrd=$2 dir=$3 mode=$4 seed=${5:-1}
boot_seconds=${TXSIG_BOOT_SECONDS:-120} run_seconds=${TXSIG_RUN_SECONDS:-3600}

append="console=ttyS0 panic=-1 panic_on_warn=1 oops=panic nokaslr mitigations=off tsc=reliable no_timer_check"
machine=(qemu-system-x86_64 -nodefaults -display none -no-reboot -m "${TXSIG_MEMORY:-1024}" -kernel "$kernel/vmlinuz"
	-initrd "$initrd" -serial "file:$dir/console.log")
case $mode in
exact)
	# Fast string instructions would count a whole copy as one instruction.
	machine+=(-accel tcg -cpu "max,-erms,-fsrm" -smp 1 -icount "shift=0,sleep=off" -seed "$seed"
		-rtc "base=2026-01-01,clock=vm" -serial "file:$dir/job.log")
	;;
timed | shell)
	accel=$("$here/accel.sh" "$kernel")
	case $accel in
	kvm) machine+=(-accel kvm -cpu host) ;;
	tcg) machine+=(-accel "tcg,thread=multi" -cpu max) ;;
	esac
	machine+=(-smp "${TXSIG_CPUS:-2}")
	if [ "$mode" = shell ]; then
		machine+=(-chardev "stdio,id=job,signal=off" -serial "chardev:job")
		append+=" txsig.shell"
	else
		machine+=(-serial "file:$dir/job.log")
	fi
	;;
*) die "mode '$mode': must be timed, exact or shell" ;;
esac
machine+=(-serial "file:$dir/out.tar" -append "$append")

for file in console.log job.log out.tar; do : >"$dir/$file"; done
if [ "$mode" = shell ]; then
	"${machine[@]}" || die "QEMU failed"
else
	"${machine[@]}" </dev/null 2>"$dir/qemu.err" &
	pid=$!
	trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM HUP
	why=
	start=$SECONDS
	while kill -0 "$pid" 2>/dev/null; do
		took=$((SECONDS - start))
		if [ "$took" -ge "$boot_seconds" ] && ! grep -q '^txsig-guest: ready' "$dir/job.log"; then
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
fi

last_words() {
	grep -aE 'Kernel panic|BUG:|WARNING:|Oops' "$dir/console.log" | head -n1 | grep . ||
		{ cat "$dir/qemu.err" 2>/dev/null; tail -n1 "$dir/console.log"; } | grep -v '^[[:space:]]*$' | tail -n1
}

if [ "$mode" != shell ] && ! grep -q '^txsig-guest: ready' "$dir/job.log"; then
	printf 'lab: the guest did not boot: %s; its console is %s\n' "${why:-$(last_words)}" "$dir/console.log" >&2
	exit 125
fi
mkdir -p "$dir/out"
if ! tar -C "$dir/out" -xf "$dir/out.tar" 2>/dev/null || [ ! -s "$dir/out/.exit" ]; then
	printf 'lab: the guest died: %s; its console is %s\n' "${why:-$(last_words)}" "$dir/console.log" >&2
	exit 126
fi
rm -f "$dir/out.tar"
exit "$(cat "$dir/out/.exit")"
