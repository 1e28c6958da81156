# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: softib moves at least 3 times the messages rdma_rxe does, in the same guest and run
# driver: fabric

. tests/lab/lib/verbs_check.sh

modprobe crc32_generic 2>/dev/null
modprobe rdma_rxe || exit 4
$ip link add rxe-a type veth peer name rxe-b
$ip link set rxe-a up && $ip link set rxe-b up && $ip addr add 10.9.0.1/24 dev rxe-a
rdma link add rxe0 type rxe netdev rxe-a || fail "no rxe" || exit 1
rxe_active() { [ "$(cat /sys/class/infiniband/rxe0/ports/1/state)" = "4: ACTIVE" ]; }
wait_until 10 rxe_active || fail "rxe0 is not active" || exit 1

rxe=$(bench_ns device=rxe0 bench=6400) || fail "no run over rxe" || exit 1
softib=$(bench_ns device=softib0 bench=64000) || fail "no run over softib" || exit 1
rmmod rdma_rxe
$ip link del rxe-a
echo "per second: rxe $((6400 * 1000000 / (rxe / 1000))), softib $((64000 * 1000000 / (softib / 1000)))"
[ $((rxe * 10)) -ge $((softib * 3)) ] || fail "less than 3 times" || exit 1
