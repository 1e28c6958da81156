#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows the other forms of a result: --json-stream, whose events are the parts of the one document and come as they happen, also for
# runs that fail; --csv, with as many values as names; --dry-run, which sends nothing; and -D's rows in none of them.
. tests/e2e/lib/ubench.sh
start_server

# joins FILE: the events of a stream, put together as the document.
joins() {
	jq -s '{schema_version: .[0].data.schema_version, start: (.[0].data | del(.schema_version)),
		intervals: [.[] | select(.event == "interval").data], end: (.[] | select(.event == "end").data)}
		+ ([.[] | select(.event == "error") | {error: .data}] | add // {})' "$1"
}
client UDP_STREAM --json-stream -l 1 -D 0.2 -- -m 100 >"$work/events"
jq -s -e 'length >= 5 and .[0].event == "start" and .[-1].event == "end" and all(.[1:-1][]; .event == "interval")' \
	"$work/events" >/dev/null || fail "$(cat "$work/events")"
joins "$work/events" >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.start.command_line[0] == "UDP_STREAM" and .start.environment.qdisc != null and (.start.environment.offloads | length) > 0'

# As they happen: the start is there while the run goes on.
start_client UDP_STREAM --json-stream -l 30 -D 0.1 -- -m 100
poll 10 grep -q '"event":"interval"' "$work/run" || fail "no event during the run"
kill -INT "$client"
client_status 10
[ $status -eq 0 ] || fail "exit $status"

expect 1 near "$ubench" UDP_STREAM -H 10.77.0.2 -p 9 --json-stream -l 1
joins "$work/out" >"$work/run.json"
is_valid "$work/run.json"
holds "$work/run.json" '.error.where == "control"'

client UDP_STREAM --csv -l 0.2 -D 0.1 -- -m 100 >"$work/out.csv"
[ "$(wc -l <"$work/out.csv")" -eq 2 ] || fail "not two lines: $(cat "$work/out.csv")"
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$work/out.csv" || fail "names and values differ in number: $(cat "$work/out.csv")"
value() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } NR == 2 { print $column }' "$work/out.csv"; }
[ "$(value sent_packets)" -eq $(($(value received_packets) + $(value lost_packets))) ] || fail "$(cat "$work/out.csv")"
[ "$(value message_bytes),$(value reverse_lost_percent),$(value error)" = 100,,0 ] || fail "$(cat "$work/out.csv")"
client TCP_STREAM --csv -P 0 -l 0.1 >"$work/out.csv"
[ "$(wc -l <"$work/out.csv")" -eq 1 ] || fail "names in spite of -P 0"

sent() { near cat /proc/net/snmp | awk '/^(Udp|Tcp): [0-9]/ { n += $1 == "Udp:" ? $5 : $6 } END { print n }'; }
before=$(sent)
expect 0 client UDP_STREAM --dry-run -l 5 --gso 8 --flows 2 -- -m 1000
for line in 'test UDP_STREAM' 'seconds 5' 'flows 2' 'send UDP_SEGMENT' 'messages_per_call 8' 'message_bytes 1000'; do
	grep -qx "$line" "$work/out" || fail "no '$line' in $(cat "$work/out")"
done
[ "$(sent)" -eq "$before" ] || fail "a dry run sends"
expect 1 near "$ubench" UDP_STREAM --dry-run -H 10.77.0.2%nosuch0
