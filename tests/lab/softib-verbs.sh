# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: softib's kernel verbs follow IBA: signaling, strict slots, flushes, arming, events in hard interrupts, drops
# driver: fabric
checks=20
dmesg -c >/dev/null
insmod $KIT/modules/verbs_check/verbs_check.ko $VERBS_CHECK_OPTIONS || {
	dmesg | grep verbs_check
	fail "a check failed" || exit 1
}
rmmod verbs_check
passed=$(dmesg | grep -c 'verbs_check: ok')
[ "$passed" = $checks ] || fail "$passed checks passed, not $checks" || exit 1
left=$(grep -c UD /sys/kernel/debug/softib/softib0/qps)
[ "$left" = 0 ] || fail "$left queue pairs are left" || exit 1
