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

# Both threads on one CPU.
fabric_up engine=thread engine_cpus=0 || exit 1
threads_run || fail "there is no thread" || exit 1
driver_load stock || exit 1
as_usual softib-accounting softib-send-faults || exit 1
driver_unload || exit 1
export VERBS_CHECK_OPTIONS=settle_us=3000
as_usual softib-verbs || exit 1
fabric_down || exit 1
! threads_run || fail "a thread is left" || exit 1

# Each on its own CPU, with the patched driver and an HCA that goes while packets are on their way.
fabric_up engine=thread && driver_load patched || exit 1
as_usual ipoib-cqes-follow-the-rate || exit 1
before=$(hca_counter tx_wrs)
build/ubench UDP_STREAM -H $PEER_ADDR -l 5 -N -P 0 -- -m 100 >/dev/null 2>&1 &
flood=$!
under_way() { [ $(($(hca_counter tx_wrs) - before)) -gt 1000 ]; }
wait_until 10 under_way || fail "no traffic" || exit 1
rmmod softib || fail "rmmod under traffic" || exit 1
wait $flood
driver_unload
for wrong in engine=nobody 'engine=thread engine_cpus=99'; do
	! insmod $KIT/modules/softib/softib.ko $wrong 2>/dev/null || fail "$wrong is taken" || exit 1
done
