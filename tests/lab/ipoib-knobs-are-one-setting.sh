# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: sysfs and ethtool -C read and write one setting, which outlasts ifdown, and the module parameter is its default
. tests/lab/ipoib.inc

coalesce() { ethtool -c ib0 | awk '$1 == "tx-usecs:" { u = $2 } $1 == "tx-frames:" { f = $2 } END { print f, u }'; }
sysfs() { echo "$(cat "$knobs"/tx_signal_rate) $(cat "$knobs"/tx_signal_usecs)"; }

# both RATE USECS WHO
both() {
	[ "$(sysfs)" = "$1 $2" ] || die "sysfs shows $(sysfs), not $1 $2, $3"
	[ "$(coalesce)" = "$1 $2" ] || die "ethtool -c shows $(coalesce), not $1 $2, $3"
}

both 1 20000 "by default"
set_rate 8 15000
both 8 15000 "after writing sysfs"
ethtool -C ib0 tx-frames 16 tx-usecs 5000 || die "ethtool -C failed"
both 16 5000 "after ethtool -C"
ethtool -C ib0 rx-usecs 0 2>/dev/null || die "ethtool -C rx-usecs failed"
both 16 5000 "after ethtool -C of the RX side"
link_down
both 16 5000 "while down"
set_rate 4
link_up || die "ib0 does not come back"
both 4 5000 "after ifdown and ifup"

driver_unload || die "the module does not go"
insmod /txsig/modules/patched/ib_ipoib.ko tx_signal_rate=33 2>/dev/null && die "the module loads with tx_signal_rate=33"
insmod /txsig/modules/patched/ib_ipoib.ko tx_signal_rate=0 2>/dev/null && die "the module loads with tx_signal_rate=0"
insmod /txsig/modules/patched/ib_ipoib.ko tx_signal_rate=-1 2>/dev/null && die "the module loads with tx_signal_rate=-1"
driver_load patched tx_signal_rate=64 send_queue_size=256 || die "the module refuses tx_signal_rate=64 with a ring of 256"
both 64 20000 "from the module parameter"
[ "$(cat "$knobs"/tx_signal_rate_max)" = 64 ] || die "the cap of a ring of 256 is $(cat "$knobs"/tx_signal_rate_max)"
