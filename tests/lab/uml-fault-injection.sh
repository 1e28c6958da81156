# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: allocations that fail while softib is loaded, or anywhere while packets flow, crash nothing and lose no memory, and
# what is done again without a fault succeeds
# driver: none
# lab: uml
# timeout: 600
fail_nth=$KIT/build/lab-fail-nth
softib=$KIT/modules/softib/softib.ko

# each_fault MODULE NAME: loads a module with one allocation failing, the first, the second, ... and with growing steps so that
# about a hundred are spread over all of them.
each_fault() {
	local file=$1 name=$2 nth=1 status refused=0 endured=0
	while :; do
		status=0
		$fail_nth $nth insmod $file 2>/dev/null || status=$?
		case $status in
		0) break ;;
		1) refused=$((refused + 1)) ;;
		3) endured=$((endured + 1)) ;;
		*) fail "$name: fail-nth ended with $status" || return 1 ;;
		esac
		[ ! -e /sys/module/$name ] || rmmod $name || fail "$name: no unloading after fault $nth" || return 1
		nth=$((nth + 1 + nth / 16))
	done
	rmmod $name || return 1
	echo "$name: $((refused + endured)) of fewer than $nth allocations failed: $refused loads refused, $endured went on without"
	[ $refused -gt 0 ] || fail "$name: no fault was felt"
}

# What may fail: any slab allocation but the checkers' own. One that fails may be reported, with a stack; what is a fault in
# any case is looked for at the end.
failslab=/sys/kernel/debug/failslab
echo 0 >$failslab/verbose
echo 0 >$failslab/ignore-gfp-wait
echo 1 >$failslab/cache-filter
for cache in /sys/kernel/slab/*; do
	case ${cache##*/} in
	kmemleak_* | debug_objects_cache) ;;
	*) echo 1 >$cache/failslab 2>/dev/null ;;
	esac
done

modprobe -a ib_core ib_umad ib_uverbs
# Not so for ib_ipoib: when register_netdevice() fails late, the stock driver's ipoib_flush_paths() wakes a queue that has no
# qdisc yet, and crashes.
each_fault $softib softib || exit 1

# Traffic while one slab allocation in 50 fails, whoever makes it. Nothing is started or ends meanwhile: user-mode Linux itself
# crashes when an allocation for a page of a process fails that the kernel is about to write to. Nor does anything wait by
# looking at the clock again and again: each look puts off the tick.
fabric_up && driver_load patched || exit 1
set_probability() { until echo "$1" >$failslab/probability 2>/dev/null; do :; done; }
packets_flow() { [ $(($(hca_counter tx_wrs) - wrs)) -gt 100 ]; }
echo 16 >/sys/class/net/ib0/tx_signal_rate
wrs=$(hca_counter tx_wrs)
$KIT/build/ubench UDP_STREAM -P 0 -N -H $PEER_ADDR -l 60 --pps 2000 -- -m 1000 -p 9 >/tmp/flow 2>&1 &
flow=$!
wait_until 20 packets_flow || fail "no traffic" || exit 1
echo 1000000 >$failslab/times
mkfifo /tmp/nothing && exec 9<>/tmp/nothing || exit 1
set_probability 2
read -r -t 4 _ <&9
set_probability 0
failed=$((1000000 - $(cat $failslab/times)))
[ $failed -gt 100 ] || fail "only $failed allocations failed" || exit 1
wrs=$(hca_counter tx_wrs)
wait_until 20 packets_flow || fail "no traffic after allocations have failed" || exit 1
kill -INT $flow
wait $flow
wait_until 30 peer_answers || fail "no answer after allocations have failed" || exit 1
driver_unload && fabric_down || fail "no unloading after allocations have failed" || exit 1
# Not "unreliable refcount tracker": that is a checker that had no memory.
! log_faults | grep -E 'WARNING|BUG|ODEBUG|UBSAN|refcount_t:' || exit 1
dmesg -c >/dev/null
echo "loads and traffic with failing allocations ($failed): no report"
