#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows that a number of packets is given up, with the reason, when the queue takes none any more; and that its sender does not
# give up a queue that is only slow.
. tests/e2e/lib/ubench.sh

# After the burst an octet a second: the socket's buffer is full and stays so.
tc -n $near qdisc add dev txsig0 root tbf rate 8bit burst 3k limit 10m
start=$SECONDS
start_client UDP_STREAM --json -N -l -50000 -- -m 1000
client_status 40
seconds=$((SECONDS - start))
[ $status -eq 1 ] || fail "a queue that holds everything: exit $status"
((seconds >= 9 && seconds <= 30)) || fail "given up after $seconds s"
grep -q 'no packet was taken any more' "$work/run.err" || fail "it says: $(cat "$work/run.err")"
holds "$work/run" '.error.code == 1 and .end.sum_sent.packets > 20 and .end.sum_sent.packets < 50000'

# A packet in 1.5 s, and a buffer that takes two.
tc -n $near qdisc del dev txsig0 root
tc -n $near qdisc add dev txsig0 root tbf rate 6kbit burst 3k limit 10m
start_client UDP_STREAM --json -N -l -14 -- -m 1000 -s 4000
client_status 40
[ $status -eq 0 ] || fail "a slow queue: exit $status: $(cat "$work/run.err")"
holds "$work/run" '.end.sum_sent.packets == 14'
