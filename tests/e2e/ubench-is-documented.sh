#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that the man page names every long option of every command, and formats without a warning; and that
# bash completes commands and options.
set -euo pipefail
ubench=$PWD/build/ubench
fail() {
	echo "FAIL: $*"
	exit 1
}

page=$(sed 's/\\-/-/g' ubench/ubench.1)
for command in server UDP_STREAM TCP_STREAM UDP_RR VERBS_UD sweep report; do
	"$ubench" $command --help | grep -oE -- '--[a-z][-a-z]+' | sort -u | while read -r option; do
		[[ $page == *"$option"* ]] || fail "ubench.1 does not name $option of $command"
	done
done
if command -v man >/dev/null; then
	warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z ubench/ubench.1 2>&1 >/dev/null)
	[ -z "$warnings" ] || fail "$warnings"
fi

# shellcheck source=ubench/ubench.bash-completion
. ubench/ubench.bash-completion
completes() {
	COMP_WORDS=("$ubench" "${@:2}")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_ubench
	grep -qx -e "$1" < <(printf '%s\n' "${COMPREPLY[@]}") || fail "no $1 among: ${COMPREPLY[*]}"
}
completes UDP_STREAM UDP
completes sweep sw
completes --flows UDP_STREAM --fl
completes --max-clients server --max-c
completes --knob sweep --kn
completes ethtool: sweep --knob eth
completes tx-usecs sweep --knob ethtool :
completes tx-usecs sweep --knob ethtool : tx
completes -D UDP_STREAM -
