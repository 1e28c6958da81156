# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# lab: qemu uml
# shows: loading, using and unloading softib with IPoIB over it, again and again, leaves nothing behind
# driver: none
# timeout: 150

nothing_left() {
	[ ! -e /sys/module/softib ] || fail "the module is left" || return 1
	[ -z "$(ls /sys/class/infiniband 2>/dev/null)" ] || fail "a device is left" || return 1
	[ ! -e /sys/kernel/debug/softib ] || fail "debugfs files are left" || return 1
	[ -z "$(ls -d /sys/devices/platform/softib* 2>/dev/null)" ] || fail "a platform device is left"
}

for round in 1 2 3; do
	# shellcheck disable=SC2119 # no parameters
	fabric_up && driver_load stock || fail "round $round: no start" || exit 1
	ping -c 3 -i 0.2 $PEER_ADDR >/dev/null || fail "round $round: no answer" || exit 1
	# The HCAs go while interfaces and OpenSM use them.
	if [ $round = 3 ]; then
		rmmod softib && driver_unload && opensm_stop || fail "round $round: no end" || exit 1
	else
		driver_unload && fabric_down || fail "round $round: no end" || exit 1
	fi
	nothing_left || exit 1
done
for wrong in hcas=0 hcas=99 mtu=1000; do
	! insmod $KIT/modules/softib/softib.ko $wrong 2>/dev/null || fail "$wrong is taken" || exit 1
	nothing_left || exit 1
done
