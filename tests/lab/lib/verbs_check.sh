# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC2086
# For lab tests of softib by its kernel verbs.

# bench_ns PARAM=VALUE...: how long the messages of a benchmark take.
bench_ns() {
	dmesg -c >/dev/null
	insmod $KIT/modules/verbs_check/verbs_check.ko "$@" && rmmod verbs_check || return 1
	dmesg | sed -n 's/.* bench .* ns=\([0-9]*\)$/\1/p'
}

# verbs_check SET COUNT: all COUNT checks of the set pass, and leave no queue pair behind.
verbs_check() {
	local options="set=$1" passed left
	# A thread sends later; on its own CPU the checks' wait lets it, however slow the host is.
	[ "$(cat /sys/module/softib/parameters/engine)" != thread ] || options="$options settle_us=3000"
	dmesg -c >/dev/null
	taskset 1 insmod $KIT/modules/verbs_check/verbs_check.ko $options || {
		dmesg | grep verbs_check
		fail "a check failed" || return 1
	}
	rmmod verbs_check
	passed=$(dmesg | grep -c 'verbs_check: ok')
	[ "$passed" = "$2" ] || fail "$passed checks passed, not $2" || return 1
	left=$(grep -c -e UD -e RC /sys/kernel/debug/softib/softib0/qps)
	[ "$left" = 0 ] || fail "$left queue pairs are left" || return 1
}
