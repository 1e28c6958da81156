# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: softib's connections and shared receive queues follow IBA: order, waits, retries, errors and flushes, states, limits, partitions
# driver: fabric
checks=21
dmesg -c >/dev/null
insmod $KIT/modules/verbs_check/verbs_check.ko set=rc || {
	dmesg | grep verbs_check
	fail "a check failed" || exit 1
}
rmmod verbs_check
wait_until 5 grep -q 'num:257 ' /var/log/opensm.log || fail "OpenSM hears nothing of the other partition" || exit 1
passed=$(dmesg | grep -c 'verbs_check: ok')
[ "$passed" = $checks ] || fail "$passed checks passed, not $checks" || exit 1
left=$(grep -c -e UD -e RC /sys/kernel/debug/softib/softib0/qps)
[ "$left" = 0 ] || fail "$left queue pairs are left" || exit 1
