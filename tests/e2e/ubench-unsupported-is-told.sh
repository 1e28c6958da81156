#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that what a kernel is without is probed for and told in one line with exit code 4 (netperfmeter #5): protocols, and ways to
# send.
. tests/e2e/lib/ubench.sh
start_server

for protocol in DCCP SCTP; do
	expect 4 near "$ubench" ${protocol}_STREAM -H 10.77.0.2
	grep -qE "^ubench ${protocol}_STREAM: unsupported: this (kernel has no $protocol|kernel has $protocol, this ubench)" "$work/err" || fail "$(cat "$work/err")"
done

# A kernel that answers ENOPROTOOPT to the option.
without() { near strace -f -qq -o /dev/null -e trace=setsockopt -e "inject=setsockopt:error=ENOPROTOOPT:when=1" "$ubench" "$@"; }
expect 4 without UDP_STREAM -H 10.77.0.2 -l 0.1 --gso 4 -- -m 100
grep -q 'unsupported: --gso: this kernel has no UDP_SEGMENT' "$work/err" || fail "$(cat "$work/err")"
expect 4 without UDP_STREAM -H 10.77.0.2 -l 0.1 --zerocopy -- -m 100
grep -q 'unsupported: --zerocopy' "$work/err" || fail "$(cat "$work/err")"
expect 4 without UDP_STREAM -H 10.77.0.2 --dry-run --gso 4 -- -m 100
