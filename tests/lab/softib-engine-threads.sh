# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: engine threads, which send later and on another CPU, keep every promise that sending at once keeps
# driver: none
# timeout: 200

threads_run() { pidof softib1 >/dev/null; }

# as_usual TEST...: tests that know nothing of engines pass.
as_usual() {
	local test
	for test in "$@"; do
		# shellcheck disable=SC1090 # any of them
		(. tests/lab/$test.sh) || fail "$test with threads" || return 1
	done
}

# Both threads on one CPU. What a test leaves behind, a link or an interface that is down, is not for the next one.
fabric_up engine=thread engine_cpus=0 || exit 1
threads_run || fail "there is no thread" || exit 1
# On the threads' CPU, so that they run while the check waits, however slow the host is.
export VERBS_CHECK_OPTIONS=settle_us=3000
taskset -p 1 $$ && as_usual softib-verbs && taskset -p 3 $$ || exit 1
fabric_down || exit 1
! threads_run || fail "a thread is left" || exit 1

# Each on its own CPU.
fabric_up engine=thread && driver_load stock && as_usual softib-accounting && driver_unload && fabric_down || exit 1
for wrong in engine=nobody 'engine=thread engine_cpus=99'; do
	! insmod $KIT/modules/softib/softib.ko $wrong 2>/dev/null || fail "$wrong is taken" || exit 1
done
