# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: values out of range, not decimal or with trailing text are EINVAL in sysfs and by ethtool and change nothing
. tests/lab/ipoib.inc

# refused FILE VALUE WHY
refused() {
	local before after message
	before=$(cat "$knobs/$1")
	message=$( (echo "$2" >"$knobs/$1") 2>&1) && die "$1 took '$2' ($3)"
	case $message in
	*'Invalid argument'*) ;;
	*) die "$1 refuses '$2' with: $message" ;;
	esac
	after=$(cat "$knobs/$1")
	[ "$before" = "$after" ] || die "$1 went from $before to $after by the refused '$2'"
}

max=$(cat "$knobs"/tx_signal_rate_max)
set_rate 4 30000
for knob in tx_signal_rate tx_signal_usecs; do
	for value in -1 '' x 0x8 8x '8 9' 8.5 99999999999999999999 4294967297; do
		refused $knob "$value" "not a number in range"
	done
done
refused tx_signal_rate 0 "below 1"
refused tx_signal_rate $((max + 1)) "over the cap"
refused tx_signal_usecs 1000001 "over a second"
ethtool -C ib0 tx-frames 0 2>/dev/null && die "ethtool -C took tx-frames 0"
ethtool -C ib0 tx-frames $((max + 1)) 2>/dev/null && die "ethtool -C took tx-frames over the cap"
ethtool -C ib0 tx-frames 8 tx-usecs 1000001 2>/dev/null && die "ethtool -C took tx-usecs over a second"
[ "$(cat "$knobs"/tx_signal_rate) $(cat "$knobs"/tx_signal_usecs)" = "4 30000" ] || die "ethtool -C changed a value it refused"
for value in 1 2 $max; do
	set_rate "$value"
	[ "$(cat "$knobs"/tx_signal_rate)" = "$value" ] || die "rate $value reads back as $(cat "$knobs"/tx_signal_rate)"
done
set_rate 1 0
set_rate 1 1000000
( echo 1 >"$knobs"/tx_signal_rate_max ) 2>/dev/null && die "tx_signal_rate_max can be written"
true
