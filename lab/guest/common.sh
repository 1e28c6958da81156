# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every lab script shares: where the cache is, how to speak and how to fail, which kernel, and where to work.

# Downloads and guest kernels live outside the clone, so that clones share them.
# shellcheck disable=SC2034 # used by those who source this
CACHE=${TXSIG_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/txsig}
lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'lab: %s\n' "$*" >&2; }

die() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

# follow PID FILE SED_SCRIPT: prints what is appended to FILE, through sed, until process PID ends; runs in the background, so
# that the caller waits for PID itself, where a signal reaches it, and then for $followed, so that the last line is out.
follow() {
	tail -n +1 -s 0.1 -f --pid="$1" "$2" 2>/dev/null | sed -u -n "$3" &
	followed=$!
}

# kernel_dir SERIES: the directory of the guest kernel of the backend that LAB names, qemu (default) or uml.
kernel_dir() {
	case ${LAB:-qemu} in
	qemu) "$lab_dir/guest/kernel.sh" "$1" ;;
	uml) "$lab_dir/uml/kernel.sh" "$1" ;;
	*) die "LAB='$LAB': must be qemu or uml" ;;
	esac
}

# process_id PID: the process as `PID START_TIME`, which no later process shares; nothing if there is none.
process_id() {
	local stat
	stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
	read -r -a stat <<<"${stat##*) }"
	[ "${stat[0]}" = Z ] || echo "$1 ${stat[19]}"
}

# is_running FILE: the process that process_id wrote to FILE still runs.
is_running() {
	local id
	id=$(cat "$1" 2>/dev/null) && [ -n "$id" ] && [ "$(process_id "${id% *}")" = "$id" ]
}

# work_dir: makes a directory for this script's files and those of the scripts it calls. Its owner is on record, so that
# `lab/lab down` finds what a killed script left.
work_dir() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/txsig-lab.XXXXXX")
	process_id $$ >"$work/owner"
	export TMPDIR=$work
}

# keep_console FILE: a failed guest's console outlives its directory.
keep_console() {
	mkdir -p "$lab_dir/../build/lab"
	cp "$1" "$lab_dir/../build/lab/last-console.log" && say "the console of that guest is kept as build/lab/last-console.log"
}
