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
