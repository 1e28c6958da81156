# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086
# shows: 1,000 times (TXSIG_LOAD_CYCLES) softib and IPoIB loaded, used and unloaded leave the memory where it was: slab, per-CPU and vmalloc
# driver: none
# lab: uml
# timeout: 2400
cycles=${TXSIG_LOAD_CYCLES:-1000}
# Bytes a cycle, and in all, that the measurement itself may move, by its own processes and the allocators' granularity. What
# is lost for good kmemleak finds besides.
tolerance=64 slack=16384

patched=$KIT/modules/patched/ib_ipoib.ko

cycle() {
	insmod $KIT/modules/softib/softib.ko && insmod $patched && $ip link set ib0 up || return 1
	if [ $(($1 % 2)) = 0 ]; then
		rmmod ib_ipoib && rmmod softib
	else
		# The HCAs go while IPoIB has them.
		rmmod softib && rmmod ib_ipoib
	fi
}

# With traffic: OpenSM, multicast groups, address handles, queue pairs that have sent.
cycle_in_use() {
	fabric_up && driver_load patched && ping -c 2 -i 0.2 $PEER_ADDR >/dev/null && driver_unload && fabric_down &&
		$ip netns del peer
}

# Freed objects that wait in KASAN's quarantine count as used until their cache is shrunk. What the checkers note down about
# other objects is theirs.
memory() {
	local cache
	for cache in /sys/kernel/slab/*/shrink; do echo 1 >$cache; done
	awk 'NR > 2 && !/^(kmemleak|debug_objects)/ { slab += $2 * $4 } END { print slab }' /proc/slabinfo
	awk '/^(Percpu|VmallocUsed):/ { print $2 * 1024 }' /proc/meminfo
}

run() {
	local n=$1
	while [ $n -gt 0 ]; do
		cycle $n || fail "cycle $n failed" || return 1
		n=$((n - 1))
	done
}

cycle_in_use && run 20 || exit 1
sleep 30
memory >/tmp/before
run $((cycles / 2)) && cycle_in_use && run $((cycles - cycles / 2)) || exit 1
sleep 30
memory >/tmp/after
paste /tmp/before /tmp/after | awk -v cycles=$cycles -v tolerance=$tolerance -v slack=$slack '
	BEGIN { split("slab vmalloc percpu", name) }
	{ printf "%s: %d bytes before, %d after %d cycles\n", name[NR], $1, $2, cycles
	  if ($2 - $1 > cycles * tolerance + slack) bad = 1 }
	END { exit bad }' || fail "memory grows with every cycle" || exit 1
