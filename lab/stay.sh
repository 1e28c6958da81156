#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A guest that stays: starts it in the background, runs commands and moves files in it, and stops it without a trace.
#
# usage: stay.sh up SERIES [bare] | run SERIES COMMAND... | shell SERIES | push SERIES FILE... DIR | pull SERIES PATH DIR |
#                down SERIES... | is-up SERIES
# All of a guest is in build/lab/up/SERIES and in its one process. Exit: the command's own code; 125 when the guest did not
# boot or is not up, 126 when it went while a command ran.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/guest/common.sh"
# shellcheck source=lab/guest/machine.sh
. "$here/guest/machine.sh"

top=$(cd "$here/.." && pwd)
command=$1 series=${2:-}
shift 2 || shift
dir=$top/build/lab/up/$series

# guest_call [-t] COMMAND_LINE
guest_call() {
	local terminal=()
	[ "$1" != -t ] || { terminal=(-t) && shift; }
	"$top/build/lab-call" "${terminal[@]}" "$dir" "$1"
}

require_up() {
	if ! is_running "$dir/pid"; then
		[ ! -d "$dir" ] || say "the guest of kernel $series has died: lab/lab down cleans up after it"
		say "no guest of kernel $series is up: lab/lab up --kernel $series"
		exit 125
	fi
}

# What was built after the guest was packed is not in it.
warn_of_newer_build() {
	local newer
	newer=$(find "$top/build/ubench" "$top/build/lab/$(cat "$dir/release")" -newer "$dir/initrd" -type f 2>/dev/null | head -n1)
	[ -z "$newer" ] || say "the guest has an older build: lab/lab down and up for ${newer#"$top/"}"
}

# start KERNEL: the machine runs in its directory, apart from this terminal, and is on record before it is one.
start() {
	machine_clear "$dir"
	rm -f "$dir/pid"
	machine_command "$1" "$dir/initrd" "$dir" stay
	# shellcheck disable=SC2016 # the new shell expands it
	(cd "$dir" && exec setsid bash -c '. "$1"; shift; process_id $$ >pid.part; mv pid.part pid; exec "$@"' start "$here/guest/common.sh" "${machine[@]}" \
		</dev/null >machine.out 2>machine.err 9>&-) &
}

# boot_outcome: waits for the job's end; leaves why it failed, or nothing, in $why.
boot_outcome() {
	local begin=$SECONDS boot_seconds=${TXSIG_BOOT_SECONDS:-120}
	why=
	until [ -e "$dir/pid" ]; do sleep 0.05; done
	while is_running "$dir/pid"; do
		why=$(sed -n 's/^txsig-guest: up //p' "$dir/job.log")
		[ -z "$why" ] || break
		[ $((SECONDS - begin)) -lt "$boot_seconds" ] || { why="not up after $boot_seconds s" && return; }
		sleep 0.1
	done
	case $why in
	0) why= ;;
	'') why=$(machine_last_words "$dir") ;;
	*) why="the fabric did not come up: $(grep -v '^txsig-guest' "$dir/job.log" | tail -n1)" ;;
	esac
}

up() {
	local kernel begin=$SECONDS why
	mkdir -p "$top/build/lab/up"
	exec 9>"$top/build/lab/up/$series.lock"
	flock -n 9 || die "another lab/lab up is at work"
	if is_running "$dir/pid"; then
		say "the guest of kernel $series is up"
		return
	fi
	[ ! -d "$dir" ] || stop
	kernel=$(kernel_dir "$series")
	"$here/build.sh" "$kernel"
	mkdir "$dir"
	trap 'stop >/dev/null 2>&1' EXIT
	trap 'exit 130' INT TERM HUP
	export TMPDIR=$dir
	cp "$kernel/release" "$dir/"
	{ [ "${1:-}" = bare ] || echo '. /txsig/lab/guest/lib.sh; fabric_up && driver_load patched'; } >"$dir/job"
	"$here/guest/kit.sh" "$kernel" "$dir/initrd" "$dir/job"
	start "$kernel"
	boot_outcome
	if [ -n "$why" ] && machine_lost_a_race "$dir"; then
		say "the emulator failed the guest while it booted ($why): once more"
		start "$kernel"
		boot_outcome
	fi
	if [ -n "$why" ]; then
		say "the guest did not boot: $why"
		keep_console "$dir/console.log"
		exit 125
	fi
	trap - EXIT
	say "the guest of kernel $series is up after $((SECONDS - begin)) s; its console is ${dir#"$PWD/"}/console.log"
}

# stop: ends the guest and removes what it has; says in what state it was.
stop() {
	local pid
	if is_running "$dir/pid"; then
		read -r pid _ <"$dir/pid"
		kill "$pid"
		for _ in {1..50}; do is_running "$dir/pid" && sleep 0.1; done
		! is_running "$dir/pid" || kill -KILL "$pid"
		say "the guest of kernel $series is down"
	else
		say "the guest of kernel $series had died: cleaned up after it"
	fi
	[ ! -s "$dir/console.log" ] || mv "$dir/console.log" "$top/build/lab/last-console.log"
	rm -rf "$dir"
}

# Directories of scripts that were killed before they could remove them.
sweep_up() {
	local work
	for work in "${TMPDIR:-/tmp}"/txsig-lab.*; do
		if ! [ -O "$work/owner" ] || is_running "$work/owner"; then continue; fi
		say "a killed script left $work: removed"
		rm -rf "$work"
	done
}

down() {
	local found=''
	for series in "$@"; do
		dir=$top/build/lab/up/$series
		[ -d "$dir" ] || continue
		found=1
		stop
	done
	sweep_up
	[ -n "$found" ] || say "no guest is up"
}

case $command in
up) up "$@" ;;
is-up) is_running "$dir/pid" ;;
run)
	require_up
	warn_of_newer_build
	guest_call ". /txsig/lab/guest/lib.sh; cd /txsig; $(printf '%q ' "$@")"
	;;
shell)
	require_up
	guest_call -t 'cd /txsig; ENV=/txsig/lab/guest/lib.sh exec sh -i'
	;;
push)
	require_up
	to=${*: -1}
	set -- "${@:1:$#-1}"
	files=()
	for file in "$@"; do
		[ -e "$file" ] || die "$file: no such file"
		files+=(-C "$(cd "$(dirname "$file")" && pwd)" "$(basename "$file")")
	done
	tar -cf - "${files[@]}" | guest_call "mkdir -p $(printf %q "$to") && tar -xf - -C $(printf %q "$to")"
	;;
pull)
	require_up
	mkdir -p "$2"
	guest_call "tar -cf - -C $(printf %q "$(dirname "$1")") $(printf %q "$(basename "$1")")" </dev/null | tar -xf - -C "$2"
	;;
down) down ${series:+"$series"} "$@" ;;
esac
