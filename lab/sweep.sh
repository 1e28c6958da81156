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

work=$(mktemp -d)
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

kernel=$("$here/guest/kernel.sh" "$series")
"$here/build.sh" "$kernel"

# job FILE: what the guest runs.
job() {
	local cost_irq cost_cqe cost_doorbell note
	IFS=: read -r cost_irq cost_cqe cost_doorbell <<<"$cost"
	note="--note lab.kernel_package=$(cat "$kernel/version") --note lab.cost_irq_ns=$cost_irq"
	note+=" --note lab.cost_cqe_ns=$cost_cqe --note lab.cost_doorbell_ns=$cost_doorbell --note lab.host_cpus=$(nproc)"
	note+=" --note lab.qemu=$(qemu-system-x86_64 --version | sed -n 's/.*version \([0-9.]*\).*/\1/p')"
	{
		# Through a pipe, or the sweep would take the serial port for a terminal and repaint its progress.
		echo 'set -o pipefail; cd /txsig; . lab/guest/lib.sh'
		echo "fabric_up cost_irq_ns=$cost_irq cost_cqe_ns=$cost_cqe cost_doorbell_ns=$cost_doorbell || exit 1"
		if [ -n "$exact" ]; then
			echo "export TXSIG_SENDER_ONLY=1"
			echo "lab/guest/driver-hook patched || exit 1"
			echo "build/ubench sweep --iface ib0 --time-limit 180 --rates $rates --repeat 1 --seed $2 --driver-hook lab/guest/driver-hook \\"
			echo " --output /out/run $note --note lab.accel=tcg-icount --note lab.seed=$2 \\"
			echo " -- UDP_STREAM -N -H \$PEER_ADDR -l -$packets -- -m $message -p 9 2>&1 >/out/tables | cat"
		else
			echo "driver_load patched || exit 1"
			echo "in_peer build/ubench server >/out/server.log 2>&1 & server=\$!"
			echo "build/ubench sweep --iface ib0 --time-limit 180 --rates $rates --repeat $repeat --driver-hook lab/guest/driver-hook \\"
			echo " --output /out/run $note --note lab.accel=$("$here/guest/accel.sh" "$kernel") \\"
			echo " -- UDP_STREAM -H \$PEER_ADDR -l $seconds -- -m $message 2>&1 >/out/tables | cat"
		fi
		# shellcheck disable=SC2016 # the guest expands it
		echo 'status=$?; [ -z "$server" ] || kill $server; driver_unload && fabric_down && exit $status'
	} >"$1"
}

# boot NAME MODE SEED: starts one guest in the background.
boot() {
	mkdir "$work/$1"
	job "$work/$1/job" "$3"
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
		cp "$work/$1/console.log" "$CACHE/last-console.log"
		die "the sweep failed in the guest ($1, exit $status); its console is kept in the cache as last-console.log"
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
