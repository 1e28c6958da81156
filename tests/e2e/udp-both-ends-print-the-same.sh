#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that client and server print the same figures, with sender and receiver rates side by side, in netperf's table (iperf #1984,
# uperf #52, sockperf #135); and -P 0, which leaves out the headers.
. tests/e2e/lib/ubench.sh
start_server
client UDP_STREAM -l 0.5 -- -m 100 >"$work/client.out"
figures() { grep -E '^ *[0-9]|^PPS=' "$1"; }
poll 5 grep -q ^PPS= "$work/server.out" || fail "the server prints no result"
diff <(figures "$work/client.out") <(figures "$work/server.out") || fail "the two ends differ"
[ "$(figures "$work/client.out" | wc -l)" -eq 3 ] || fail "not two table lines and the PPS line"
grep -qE '^PPS=[0-9]+ RX_PPS=[0-9]+ LOSS=[0-9.]+$' "$work/client.out" || fail "no PPS line"
grep -q '^Socket  Message  Elapsed      Messages' "$work/client.out" || fail "no headers"
client UDP_STREAM -P 0 -l -10 -- -m 100 >"$work/bare.out"
[ "$(grep -vcE '^( *[0-9]|PPS=|$)' "$work/bare.out")" -eq 0 ] || fail "headers in spite of -P 0"
