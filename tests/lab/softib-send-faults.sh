# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: each send fault does what it says: refused post, error completion, late completion, stalled queue
# engines: poster thread
# driver: stock
faults=/sys/kernel/debug/softib/softib0

outstanding() { sed -n 's/^0x[0-9a-f]* *UD *[A-Z]* *[0-9]* *\([0-9]*\) .*/\1/p' $faults/qps; }
all_complete() { [ "$(outstanding)" = 0 ]; }
echo_once() { ping -c 1 -W 1 $PEER_ADDR >/dev/null; }

# consumed FILE: sends echoes until the fault has struck; whatever else the guest sends counts too.
consumed() {
	echo_once
	[ "$(cat $faults/$1)" = 0 ]
}

# A refused post: the fifth one from now.
dmesg -c >/dev/null
requests=$(hca_counter tx_wrs)
echo 5 >$faults/fail_post_nth
wait_until 10 consumed fail_post_nth || fail "fail_post_nth does not strike" || exit 1
[ $(($(hca_counter tx_wrs) - requests)) -ge 4 ] || fail "it struck too early" || exit 1
dmesg | grep -q 'post_send failed, error -12' || fail "nothing was refused" || exit 1
wait_until 5 echo_once || fail "no answer after the refused post" || exit 1

# A send that ends in error: the queue goes to SQE, IPoIB brings it back to RTS.
errors=$(hca_counter tx_errors)
echo 2 >$faults/fail_send_nth
wait_until 10 consumed fail_send_nth || fail "fail_send_nth does not strike" || exit 1
wait_until 5 echo_once || fail "no recovery from SQE" || exit 1
[ $(($(hca_counter tx_errors) - errors)) -ge 1 ] || fail "no error is counted" || exit 1
dmesg | grep -q 'moved from IB_QPS_SQE to IB_QPS_RTS' || fail "the queue was not in SQE" || exit 1

# A late completion: the packet arrives, its slot stays taken.
wait_until 5 all_complete
echo 300000 >$faults/delay_send_us
echo_once || fail "no answer with late completions" || exit 1
! all_complete || fail "the completion was not late" || exit 1
wait_until 5 all_complete || fail "the completion never came" || exit 1
echo 0 >$faults/delay_send_us

# A stalled queue: requests are taken and not sent until it goes on.
echo 1 >$faults/stall_send
! echo_once || fail "a packet left the stalled queue" || exit 1
! all_complete || fail "the stalled queue completed something" || exit 1
echo 0 >$faults/stall_send
wait_until 5 all_complete || fail "the queue does not go on" || exit 1
echo_once || fail "no answer after the stall" || exit 1

# Late receive completions: the answer comes late.
echo 200000 >$faults/delay_recv_us
! ping -c 1 -W 1 $PEER_ADDR | grep -q 'time=[0-9]\{1,2\}\.' || fail "the answer was not late" || exit 1
echo 0 >$faults/delay_recv_us
wait_until 5 echo_once || fail "no answer after the delay" || exit 1
