#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that fragments per message are reported as the kernel makes them, over IPv4 and IPv6, and that --df turns messages over the
# MTU into counted errors (iperf #496, #1934).
. tests/e2e/lib/ubench.sh
start_server
created() { near cat /proc/net/snmp | awk '/^Ip:/ { if (column) print $column; for (i = 1; i <= NF; i++) if ($i == "FragCreates") column = i }'; }
created6() { near cat /proc/net/snmp6 | awk '$1 == "Ip6FragCreates" { print $2 }'; }

# fragments COUNTER SIZE HOST: what is reported is what the kernel counts.
fragments() {
	local before after
	before=$($1)
	near "$ubench" UDP_STREAM -H "$3" --json -l -10 -- -m "$2" >"$work/run.json" 2>"$work/err"
	after=$($1)
	holds "$work/run.json" ".end | (if .fragments_per_message > 1 then .fragments_per_message else 0 end) * 10 == $((after - before))"
	holds_account "$work/run.json"
}
for size in 1472 1473 2952 2953 9000 65507; do
	fragments created $size 10.77.0.2
done
grep -q 'each message goes out as 45 fragments' "$work/err" || fail "$(cat "$work/err")"
for size in 1452 1453 2888 2889; do
	fragments created6 $size fd77::2
done

client UDP_STREAM --json --df -l -10 -- -m 1472 >"$work/run.json"
holds_account "$work/run.json"
for host in 10.77.0.2 fd77::2; do
	expect 1 near "$ubench" UDP_STREAM -H $host --json --df -l 0.3 -- -m 1473
	holds "$work/out" '.end.sum_sent.packets == 0 and .end.sum_sent.send_errors > 0'
	grep -q 'no packet could be sent: Message too long' "$work/err" || fail "$(cat "$work/err")"
done
