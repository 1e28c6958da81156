# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: each HCA has an engine thread on its CPU, or on those it is told; what cannot be is refused. That threads keep the promises of
# sending at once is shown by the tests that say `# engines: poster thread`.
# driver: none
# timeout: 90

on_cpu() { taskset -p "$(pidof $1)" | grep -q "mask: $((1 << $2))$" || fail "$1 is not on CPU $2"; }
threads_run() { pidof softib1 >/dev/null; }

fabric_up engine=thread || exit 1
threads_run || fail "there is no thread" || exit 1
on_cpu softib0 0 && on_cpu softib1 1 || exit 1
fabric_down || exit 1
! threads_run || fail "a thread is left" || exit 1

fabric_up engine=thread engine_cpus=1 && driver_load stock || exit 1
on_cpu softib0 1 && on_cpu softib1 1 || exit 1
driver_unload && fabric_down || exit 1
for wrong in engine=nobody 'engine=thread engine_cpus=99'; do
	! insmod $KIT/modules/softib/softib.ko $wrong 2>/dev/null || fail "$wrong is taken" || exit 1
done
