# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How the end-to-end tests wait. Sourced by the other files of this directory.

# poll SECONDS COMMAND...: until the command succeeds; fails after SECONDS.
poll() {
	local end=$(($(date +%s%N) + $1 * 1000000000))
	shift
	until "$@"; do
		[ "$(date +%s%N)" -lt $end ] || return 1
		sleep 0.02
	done
}
