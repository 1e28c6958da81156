#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The main job in the lab: boots the guest, sweeps tx_signal_rate with `ubench sweep`, brings the results home.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/guest/common.sh"
top=$(cd "$here/.." && pwd)

usage() {
	cat <<'USAGE'
usage: lab/lab sweep [--kernel 6.1|6.12] [--rates LIST] [--seconds S] [--repeat N] [--message BYTES]
                     [--compare RUN] [--output DIR]
                     [--exact [--seeds N] [--packets N] [--cost IRQ:CQE:DOORBELL]]
Sweeps IPoIB's tx_signal_rate between two software HCAs (default unpatched,1,4,8,16,32; 5 s; 3 repeats; 100 bytes).
--exact: the sender alone in virtual time, one nanosecond an instruction; one boot for each of N seeds (3),
         60000 packets a point; --cost adds nanoseconds for each completion interrupt, CQE and doorbell.
The path of the result is the last line printed. Exit: 0 done, 1 a run failed, 2 usage, 130 interrupted.
USAGE
}

# number NAME VALUE MIN: a whole number of at least MIN, or exit 2.
number() {
	if ! [[ $2 =~ ^[0-9]{1,9}$ ]] || [ "$2" -lt "$3" ]; then
		echo "lab: $1 '$2': must be a whole number of at least $3" >&2
		exit 2
	fi
}

series=6.1 rates=unpatched,1,4,8,16,32 seconds=5 repeat=3 message=100 compare='' output='' exact='' seeds=3 packets=60000 cost=0:0:0
while [ $# -gt 0 ]; do
	case $1 in
	--kernel | --rates | --seconds | --repeat | --message | --compare | --output | --seeds | --packets | --cost)
		[ $# -ge 2 ] || { usage >&2; exit 2; }
		option=${1#--}
		[ "$option" != kernel ] || option=series
		printf -v "$option" %s "$2"
		shift
		;;
	--exact) exact=1 ;;
	-h | --help) usage; exit 0 ;;
	*) echo "lab: sweep has no option '$1'" >&2; usage >&2; exit 2 ;;
	esac
	shift
done
number --seconds "$seconds" 1
number --repeat "$repeat" 1
number --message "$message" 1
number --seeds "$seeds" 1
number --packets "$packets" 1
[[ $cost =~ ^[0-9]{1,6}:[0-9]{1,6}:[0-9]{1,6}$ ]] || {
	echo "lab: --cost '$cost': must be IRQ:CQE:DOORBELL in nanoseconds, each 0 to 999999" >&2
	exit 2
}
[[ $rates =~ ^[a-z0-9,]+$ ]] || { echo "lab: --rates '$rates': must be a list such as unpatched,1,4,8" >&2; exit 2; }
if [ -n "$compare" ]; then
	compare=$(cd "$top" && realpath -e "$compare" 2>/dev/null) || { echo "lab: --compare: no such run" >&2; exit 2; }
fi
output=${output:-$top/results/$(date -u +%Y-%m-%dT%H%M%SZ)-$(hostname)-udp-stream}
[ ! -e "$output" ] || die "$output exists already"

work_dir
boots=()
cleanup() {
	local pid
	for pid in "${boots[@]}"; do
		kill "$pid" 2>/dev/null || continue
		wait "$pid" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

[ "${LAB:-qemu}" = qemu ] || die "user-mode Linux is for checks, not for rates: no sweep with LAB=$LAB"
kernel=$(kernel_dir "$series")
"$here/build.sh" "$kernel"

# job MODE SEED: what the guest runs, lab/guest/sweep-job.sh, and its parameters.
job() {
	local cost_irq_ns cost_cqe_ns cost_doorbell_ns notes mode=$1 seed=$2 accel=tcg-icount name
	IFS=: read -r cost_irq_ns cost_cqe_ns cost_doorbell_ns <<<"$cost"
	[ "$mode" = exact ] || accel=$("$here/guest/accel.sh" "$kernel")
	notes="--note lab.kernel_package=$(cat "$kernel/version") --note lab.cost_irq_ns=$cost_irq_ns"
	notes+=" --note lab.cost_cqe_ns=$cost_cqe_ns --note lab.cost_doorbell_ns=$cost_doorbell_ns --note lab.host_cpus=$(nproc)"
	notes+=" --note lab.qemu=$(qemu-system-x86_64 --version | sed -n 's/.*version \([0-9.]*\).*/\1/p') --note lab.accel=$accel"
	[ "$mode" != exact ] || notes+=" --note lab.seed=$seed"
	for name in mode seed rates seconds repeat packets message cost_irq_ns cost_cqe_ns cost_doorbell_ns notes; do
		printf '%s=%q\n' "$name" "${!name}"
	done
	echo '. /txsig/lab/guest/sweep-job.sh'
}

# boot NAME MODE SEED: starts one guest in the background.
boot() {
	mkdir "$work/$1"
	job "$2" "$3" >"$work/$1/job"
	"$here/guest/kit.sh" "$kernel" "$work/$1/initrd" "$work/$1/job"
	: >"$work/$1/job.log"
	"$here/guest/boot.sh" "$kernel" "$work/$1/initrd" "$work/$1" "$2" "$3" &
	boots+=($!)
}

# finish NAME PID: waits for a guest; a failed one ends the sweep.
finish() {
	local status=0
	wait "$2" || status=$?
	if [ $status -ne 0 ]; then
		keep_console "$work/$1/console.log"
		die "the sweep failed in the guest ($1, exit $status)"
	fi
	[ -e "$work/$1/out/run/run.json" ] || die "the guest brought no result home"
}

timed_sweep() {
	say "guest $(cat "$kernel/release") under $("$here/guest/accel.sh" "$kernel"), 2 CPUs, wall-clock time"
	boot guest timed 1
	follow "${boots[0]}" "$work/guest/job.log" '/^txsig-guest: /!p' >&2
	finish guest "${boots[0]}"
	wait "$followed" || true
	result=$work/guest/out/run
}

exact_sweep() {
	local seed width
	width=$(nproc)
	say "guest $(cat "$kernel/release") under TCG -icount, 1 CPU, virtual time: 1 ns an instruction; $seeds seeds, $packets packets a point"
	for ((seed = 1; seed <= seeds; seed++)); do
		[ ${#boots[@]} -lt "$width" ] || finish "seed-$((seed - width))" "${boots[seed - width - 1]}"
		boot "seed-$seed" exact "$seed"
		follow "${boots[-1]}" "$work/seed-$seed/job.log" "/^txsig-guest: /!s/^/seed $seed: /p" >&2
	done
	for ((seed = seeds > width ? seeds - width + 1 : 1; seed <= seeds; seed++)); do
		finish "seed-$seed" "${boots[seed - 1]}"
	done
	result=$work/merged
	local runs=()
	for ((seed = 1; seed <= seeds; seed++)); do runs+=("$work/seed-$seed/out/run"); done
	"$top/build/ubench" report --merge "$result" "${runs[@]}" >/dev/null
}

if [ -n "$exact" ]; then exact_sweep; else timed_sweep; fi
boots=()
"$top/build/ubench" report ${compare:+--compare "$compare"} "$result"
mkdir -p "$(dirname "$output")"
cp -r "$result" "$output.part"
mv "$output.part" "$output"
case $output in
"$PWD"/*) echo "${output#"$PWD"/}" ;;
*) echo "$output" ;;
esac
