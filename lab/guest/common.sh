# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every lab script shares: where the cache is, how to speak and how to fail.

# Downloads and guest kernels live outside the clone, so that clones share them.
# shellcheck disable=SC2034 # used by those who source this
CACHE=${TXSIG_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/txsig}

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
