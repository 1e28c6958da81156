# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: after SIGKILL of a sweep the real interface has its driver and its value again; with the guard killed too, restore mends it
# timeout: 120
attribute=/sys/class/net/ib0/tx_signal_rate
ubench=/txsig/build/ubench

die() { cat /tmp/said; echo "$*"; exit 1; }
rate_is() { [ "$(cat $attribute 2>/dev/null)" = "$1" ]; }
rate_is_16() { rate_is 16; }
rate_is_3() { rate_is 3; }
forgotten() { [ ! -e /run/txsig/ib0.state ]; }
unpatched() { [ -e /sys/class/net/ib0 ] && [ ! -e $attribute ] && [ -n "$(child)" ]; }
# shellcheck disable=SC2009 # busybox has no pgrep
child() { ps | grep '[u]bench UDP_STREAM'; }
guard_pid() { grep -lx ubench-guard /proc/[0-9]*/comm | cut -d/ -f3; }
running() { rate_is_16 && [ -n "$(child)" ]; }

# begin RATES: a sweep that runs for long
begin() {
	$ubench sweep --iface ib0 --rates "$1" --warmup 0 --driver-hook /txsig/lab/guest/driver-hook --output "/tmp/run-$1-$(uptime_ms)" \
		-- UDP_STREAM -N -H "$PEER_ADDR" -l 100 -- -m 100 >/dev/null 2>/tmp/said &
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
kill -9 "$(guard_pid)" $pid
wait_until 10 rate_is_16 || die "who restored it?"
/txsig/sysfs-scripts/tx-signal-rate restore || die "restore fails"
rate_is 3 || die "restore left $(cat $attribute)"
forgotten || die "restore left the record"
