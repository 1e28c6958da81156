#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that flent's own parser of netperf's output, as Debian ships it, reads our interim results, one point a row at the times that
# the rows end, and the figures of the run.
. tests/e2e/lib/ubench.sh
start_server
# The keys that flent asks netperf for.
keys=THROUGHPUT,LOCAL_CONG_CONTROL,REMOTE_CONG_CONTROL,TRANSPORT_MSS,LOCAL_TRANSPORT_RETRANS,REMOTE_TRANSPORT_RETRANS,LOCAL_SOCKET_TOS
keys+=,REMOTE_SOCKET_TOS,DIRECTION,ELAPSED_TIME,PROTOCOL,LOCAL_SEND_SIZE,LOCAL_RECV_SIZE,REMOTE_SEND_SIZE,REMOTE_RECV_SIZE,LOCAL_BYTES_SENT
keys+=,LOCAL_BYTES_RECVD,REMOTE_BYTES_SENT,REMOTE_BYTES_RECVD

# parsed TEST: the points and metadata that flent makes of standard input.
parsed() {
	PYTHONPATH=/usr/share/flent /usr/bin/python3 -c '
import json, sys
from flent.runners import NetperfDemoRunner
class Runner(NetperfDemoRunner):
    def __init__(self, test):
        self.test = test
    def __del__(self):
        pass
points, raw, metadata = Runner(sys.argv[1]).parse(sys.stdin.read().splitlines(), [])
print(json.dumps({"points": points, "raw": raw, "metadata": metadata}))' "$1"
}

for test in TCP_STREAM UDP_STREAM UDP_RR; do
	client $test -P 0 -l 1.1 -D -0.2 -- -k $keys >"$work/out"
	parsed $test <"$work/out" >"$work/parsed.json"
	holds "$work/parsed.json" '(.points | length) >= 5 and (.raw | all(.dur > 0.05 and .dur < 0.6 and (.val == null or .val > 0) and .t > 1.7e9))
		and .metadata.MEAN_VALUE > 0 and .metadata.ELAPSED_TIME > 1 and .metadata.UPSTREAM_TOS == 0'
done
[ "$(grep -c '^NETPERF_INTERIM_RESULT\[' "$work/out")" -eq "$(jq '.points | length' "$work/parsed.json")" ] || fail "rows are lost: $(cat "$work/out")"
