# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: a message that finds no receive buffer is dropped and counted as such, and its sender never waits
# engines: poster thread
packets=1000

# What the sender posted is all complete.
none_outstanding() { ! awk '$2 == "UD" && $5 > 0 { found = 1 } END { exit !found }' /sys/kernel/debug/softib/softib0/qps; }

# Receive completions come so late that the receiver gives no buffer back meanwhile.
dropped=$(hca_counter drop_no_receive_wr) delivered=$(hca_counter rx_delivered softib1)
echo 5000000 >/sys/kernel/debug/softib/softib1/delay_recv_us
build/ubench UDP_STREAM -H $PEER_ADDR -l -$packets -N -P 0 -- -m 100 >/dev/null || fail "no flood" || exit 1
wait_until 2 none_outstanding || fail "the sender waits for the receiver" || exit 1
dropped=$(($(hca_counter drop_no_receive_wr) - dropped)) delivered=$(($(hca_counter rx_delivered softib1) - delivered))
[ $dropped -ge $((packets / 2)) ] || fail "$dropped messages counted as dropped for want of a buffer" || exit 1
[ $((dropped + delivered)) -ge $packets ] || fail "$dropped dropped and $delivered delivered of $packets" || exit 1

echo 0 >/sys/kernel/debug/softib/softib1/delay_recv_us
wait_until 20 peer_answers || fail "no answer with buffers again" || exit 1
