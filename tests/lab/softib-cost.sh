# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: the cost model charges what it is told to, and refuses what it cannot be told
# driver: fabric
. tests/lab/lib/verbs_check.sh
parameters=/sys/module/softib/parameters

for cost in cost_doorbell_ns cost_cqe_ns; do
	echo 200000 >$parameters/$cost
	ns=$(bench_ns bench=640) || fail "no benchmark" || exit 1
	[ "$ns" -ge $((640 * 200000)) ] || fail "$cost=200000: 640 messages took $ns ns" || exit 1
	echo 0 >$parameters/$cost
done
for wrong in -1 1000001 x; do
	! echo $wrong 2>/dev/null >$parameters/cost_irq_ns || fail "cost_irq_ns=$wrong is taken" || exit 1
done
[ "$(cat $parameters/cost_irq_ns)" = 0 ] || fail "a refused value changed the cost" || exit 1
