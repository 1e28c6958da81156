# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: after SIGKILL of a sweep the real interface has its driver and its value again; with the guard killed too, restore mends it
# timeout: 120
attribute=/sys/class/net/ib0/tx_signal_rate
ubench=/txsig/build/ubench

die() { echo "$*"; exit 1; }
rate_is() { [ "$(cat $attribute 2>/dev/null)" = "$1" ]; }
rate_is_16() { rate_is 16; }
rate_is_3() { rate_is 3; }
forgotten() { [ ! -e /run/txsig/ib0.state ]; }
unpatched() { [ -e /sys/class/net/ib0 ] && [ ! -e $attribute ] && [ -n "$(child)" ]; }
child() { pgrep -f 'ubench UDP_STREAM'; }
running() { rate_is_16 && [ -n "$(child)" ]; }

# begin RATES: a sweep that runs for long
begin() {
	$ubench sweep --iface ib0 --rates "$1" --warmup 0 --driver-hook /txsig/lab/guest/driver-hook --output "/tmp/run-$1" \
		-- UDP_STREAM -N -H "$PEER_ADDR" -l 100 -- -m 100 >/dev/null 2>&1 &
	pid=$!
}

echo 3 >$attribute
begin 16
wait_until 20 running || die "the sweep does not begin"
kill -9 $pid
wait_until 20 rate_is_3 || die "tx_signal_rate is $(cat $attribute), was 3"
wait_until 20 forgotten || die "the record is left"
[ -z "$(child)" ] || die "the test runs on"

begin unpatched
wait_until 40 unpatched || die "the unpatched driver is not loaded"
kill -9 $pid
wait_until 40 rate_is_3 || die "the patched driver with rate 3 is not back"
wait_until 20 forgotten || die "the record is left"

begin 16
wait_until 20 running || die "the sweep does not begin"
kill -9 "$(pgrep -x ubench-guard)" $pid
wait_until 10 rate_is_16 || die "who restored it?"
/txsig/sysfs-scripts/tx-signal-rate restore || die "restore fails"
rate_is 3 || die "restore left $(cat $attribute)"
forgotten || die "restore left the record"
