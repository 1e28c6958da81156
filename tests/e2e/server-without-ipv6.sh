#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that server and client work where IPv6 is disabled (qperf PR 25), and that -6 then fails with the reason.
. tests/e2e/lib/ubench.sh
near sysctl -qw net.ipv6.conf.all.disable_ipv6=1
far sysctl -qw net.ipv6.conf.all.disable_ipv6=1
start_server
client UDP_STREAM --json -l -100 -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
client TCP_STREAM -4 -l 0.1 >/dev/null
expect 1 near "$ubench" UDP_STREAM -6 -H fd77::2 -l 1
grep -qE 'unreachable|Cannot assign' "$work/err" || fail "$(cat "$work/err")"
