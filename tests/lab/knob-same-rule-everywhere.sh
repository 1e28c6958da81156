# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: the kernel, ubench and tx-signal-rate refuse the same values of tx_signal_rate, keep the old one, and the tools name the range
attribute=/sys/class/net/ib0/tx_signal_rate
script=/txsig/sysfs-scripts/tx-signal-rate
ubench=/txsig/build/ubench

die() { echo "$*"; exit 1; }

cap=$(cat /sys/class/net/ib0/tx_signal_rate_max 2>/dev/null || echo $(($(cat /sys/module/ib_ipoib/parameters/send_queue_size) / 4)))
echo 4 >$attribute || die "the kernel refuses 4"
for value in 0 -1 $((cap + 1)) 4x x 99999999999999999999 ''; do
	# An empty write is no write at all for the kernel, so it is asked about a blank.
	if echo "${value:- }" 2>/dev/null >$attribute; then die "the kernel takes '$value'"; fi
	$script set "$value" ib0 2>/tmp/said && die "tx-signal-rate takes '$value'"
	grep -q "allowed are 1..$cap" /tmp/said || die "tx-signal-rate: $(cat /tmp/said)"
	$ubench sweep --iface ib0 --rates "$value" --output /tmp/none -- UDP_STREAM -N -H "$PEER_ADDR" -l -10 2>/tmp/said
	[ $? = 2 ] || die "ubench sweep takes '$value'"
	grep -q "allowed are 1..$cap" /tmp/said || die "ubench sweep: $(cat /tmp/said)"
	[ "$(cat $attribute)" = 4 ] || die "'$value' changed the value to $(cat $attribute)"
done
for value in 1 2 "$cap"; do
	$script set "$value" ib0 || die "tx-signal-rate refuses $value"
	[ "$($script get ib0)" = "$value" ] || die "tx-signal-rate get after set $value"
done
$script list | grep -q "^ib0 *$cap (allowed 1..$cap)" || die "list: $($script list)"
