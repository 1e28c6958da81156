#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows MSG_ZEROCOPY, every send of which the kernel reports back, and UDP_GRO at the receiver: the account stays exact with both, with a
# full receiver too.
. tests/e2e/lib/ubench.sh
start_server
run() {
	client UDP_STREAM --json "$@" >"$work/run.json" 2>"$work/err" || fail "$* ($(cat "$work/err"))"
	holds_account "$work/run.json"
}

run --zerocopy -l -5001 -- -m 1000
holds "$work/run.json" '.end.sum_sent.packets == 5001
	and (.end.streams[0].zerocopy | .sends == 5001 and .notified == 5001 and .copied <= .notified)'
run --zerocopy --gso 10 -l -5001 --flows 2 -- -m 1000
holds "$work/run.json" '.end.sum_sent.packets == 10002 and all(.end.streams[]; .zerocopy.sends == 501 and .zerocopy.notified == 501)'
run --zerocopy --omit 0.2 -l -300 -- -m 500
holds "$work/run.json" '.end.streams[0].zerocopy | .sends == 300 and .notified <= 300 + 16'
client UDP_STREAM --zerocopy -P 0 -l -100 -- -m 1000 >"$work/out"
grep -qE '^ZEROCOPY flow=0 sends=100 notified=100 copied=[0-9]+$' "$work/out" || fail "$(cat "$work/out")"

# A queue that refuses some of the sends: their numbers confuse nothing.
tc -n $near qdisc add dev txsig0 root tbf rate 20mbit burst 3k limit 6k
run --zerocopy -l 0.5 -- -m 1000
holds "$work/run.json" '.end.sum_sent.send_errors > 0 and (.end.streams[0].zerocopy | .notified == .sends)'
tc -n $near qdisc del dev txsig0 root

# Joined packets go through the queue whole: counted one by one all the same.
run --gro --gso 40 -l -20000 -- -m 1000 -S 4M
holds "$work/run.json" '.end.gro and .end.sum_sent.packets == 20000 and .end.sum_received.foreign == 0'
run --gro -l -5001 -- -m 100
run --gro -l -500 --pps 5k -- -m 8
holds "$work/run.json" '.end.sum_received.packets == 500'
run --gro --gso 40 -l 0.5 -- -m 1000 -S 20000
holds "$work/run.json" '.end | .sum_received.lost_packets > 0 and .loss.receive_socket > 0'
expect 2 client UDP_STREAM --zerocopy --batch 4
expect 2 client UDP_STREAM --zerocopy --pps 4
