#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows iterations until a confidence interval is reached, the failure when it is not, CPU figures of both ends, --fail-if's exit
# code (perftest #311), and --output, which replaces a file with a complete document or leaves it alone (perftest #216, PR 322).
. tests/e2e/lib/ubench.sh
start_server

client UDP_STREAM --json -i 20,3 -I 95,50 -l -200 --pps 2k -- -m 100 >"$work/run.json"
holds_account "$work/run.json"
holds "$work/run.json" '.end.confidence | .is_reached and .iterations >= 3 and .received_width_percent <= 50'
holds "$work/run.json" '.end.sum_sent.packets == 200 * .end.confidence.iterations and (.end.streams | length) == .end.confidence.iterations'
holds "$work/run.json" '.end | [.local_cpu, .remote_cpu] | all(.utilization_percent >= 0 and .utilization_percent <= 100)'
# Three runs as different as link speeds make them.
expect 1 client UDP_STREAM --json -i 2,2 -I 99,1 -l 0.05 -- -m 100
holds "$work/out" '.error.where == "confidence" and .end.confidence.is_reached == false'
grep -q 'confidence not reached in 2 iterations' "$work/err" || fail "$(cat "$work/err")"
client UDP_STREAM -c -P 0 -l 0.2 -- -m 100 >"$work/out"
grep -qE '^CPU=[0-9.]+% RX_CPU=[0-9.]+% US_PER_PACKET=[0-9.]+ RX_US_PER_PACKET=[0-9.]+$' "$work/out" || fail "$(cat "$work/out")"

expect 3 client UDP_STREAM -l -10 --fail-if 'pps>0'
grep -q -e "--fail-if pps>0 holds" "$work/err" || fail "$(cat "$work/err")"
expect 0 client UDP_STREAM -l -10 --fail-if 'loss>50%' --fail-if 'errors>0'
expect 2 client UDP_STREAM -l -10 --fail-if 'loss>'

client UDP_STREAM -P 0 -l -10 --output "$work/file.json" >/dev/null
holds "$work/file.json" '.end.sum_sent.packets == 10'
cp "$work/file.json" "$work/before.json"
expect 1 client UDP_STREAM -P 0 -l -10 --output "$work/no-such-directory/file.json"
mkdir "$work/full"
mount -t tmpfs -o size=4k none "$work/full"
head -c 4000 /dev/zero >"$work/full/file.json"
status=0
client UDP_STREAM -P 0 -l -10 --output "$work/full/file.json" >/dev/null 2>&1 || status=$?
size=$(stat -c %s "$work/full/file.json")
left=$(find "$work/full" -type f | wc -l)
umount "$work/full"
[ $status -eq 1 ] || fail "exit $status on a full file system"
[ "$size" -eq 4000 ] || fail "the old file was touched"
[ "$left" -eq 1 ] || fail "a temporary file stays behind"
