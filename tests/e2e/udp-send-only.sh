#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows -N: no control connection, exactly the packets asked for, receiver's figures unknown, and no system call per packet but send.
. tests/e2e/lib/ubench.sh
ip -n $far link set txsig1 down
ip -n $near neigh replace 10.77.0.2 lladdr 02:00:00:00:00:02 dev txsig0 nud permanent
ip -n $far link set txsig1 up
client UDP_STREAM -N --json -l -20000 -- -m 100 -p 5001 >"$work/run.json"
holds "$work/run.json" '.end | .sum_sent.packets == 20000 and .sum_received == null and .loss == null and .recv_socket_bytes == null'
client UDP_STREAM -N -P 0 -l -100 -- -m 100 >"$work/out"
grep -qE '^PPS=[0-9]+ RX_PPS=- LOSS=-$' "$work/out" || fail "$(cat "$work/out")"

near strace -f -c -o "$work/calls" "$ubench" UDP_STREAM -N -H 10.77.0.2 -l -2000 -- -m 100 >/dev/null
sends=$(awk '$NF == "sendto" { print $4 }' "$work/calls")
others=$(awk '$NF != "sendto" && $4 ~ /^[0-9]+$/ && $NF != "total" { n += $4 } END { print n }' "$work/calls")
[ "$sends" -ge 2000 ] || fail "$sends sends"
[ "$others" -lt 600 ] || fail "$others other calls beside $sends sends: $(cat "$work/calls")"
