# shellcheck shell=sh disable=SC2034 # tx-signal-rate uses what is set here
# SPDX-License-Identifier: GPL-2.0-or-later
# The rule for tx_signal_rate in shell, the same as ubench/knob.c has: where it lives, what it takes.
# Sourced by POSIX sh (busybox included). Functions return 0, or 1 with one line on stderr.

SYSFS=${TXSIG_SYSFS:-/sys}
STATE_DIR=${TXSIG_STATE_DIR:-/run/txsig}
UDEV_DIR=${TXSIG_UDEV_DIR:-/etc/udev/rules.d}
RATE_MIN=1

complain() { echo "tx-signal-rate: $*" >&2; }

# knob_path IF: the attribute of an interface
knob_path() { echo "$SYSFS/class/net/$1/tx_signal_rate"; }

# knob_ifaces: names of the interfaces that have the knob
knob_ifaces() {
	for attribute in "$SYSFS"/class/net/*/tx_signal_rate; do
		[ -e "$attribute" ] || continue
		attribute=${attribute%/tx_signal_rate}
		echo "${attribute##*/}"
	done
}

# rate_normal TEXT: prints a decimal number without leading zeros, fails for any other text
rate_normal() {
	case $1 in
	'' | *[!0-9]*) return 1 ;;
	esac
	digits=$1
	while [ "${digits#0}" != "$digits" ] && [ "${#digits}" -gt 1 ]; do digits=${digits#0}; done
	echo "$digits"
}

# knob_max IF: the largest rate the driver takes, 0 if nothing tells it
knob_max() {
	max=$(cat "$SYSFS/class/net/$1/tx_signal_rate_max" 2>/dev/null) && max=$(rate_normal "$max") && {
		echo "$max"
		return
	}
	max=$(cat "$SYSFS/module/ib_ipoib/parameters/send_queue_size" 2>/dev/null) && max=$(rate_normal "$max") && {
		echo $((max / 4))
		return
	}
	echo 0
}

# knob_range IF: "1..32", or "1 and above" where the limit is not known
knob_range() {
	max=$(knob_max "$1")
	if [ "$max" -gt 0 ]; then echo "$RATE_MIN..$max"; else echo "$RATE_MIN and above"; fi
}

# knob_require IF: the interface is there and has the knob
knob_require() {
	case $1 in
	'' | . | .. | */*) complain "'$1' cannot be an interface"; return 1 ;;
	esac
	[ -e "$SYSFS/class/net/$1" ] || { complain "no such interface: $1"; return 1; }
	[ -e "$(knob_path "$1")" ] || {
		complain "$1 has no tx_signal_rate: its driver is not the patched one (see ipoib-patch/README.md)"
		return 1
	}
}

# rate_check IF TEXT: prints the rate if the interface can take it
rate_check() {
	rate=$(rate_normal "$2") || rate=0
	[ "${#rate}" -le 9 ] || rate=0
	max=$(knob_max "$1")
	if [ "$rate" -lt $RATE_MIN ] || { [ "$max" -gt 0 ] && [ "$rate" -gt "$max" ]; }; then
		complain "bad rate '$2' for $1: allowed are $(knob_range "$1")"
		return 1
	fi
	echo "$rate"
}

# knob_set IF RATE: writes a checked rate and reads it back
knob_set() {
	path=$(knob_path "$1")
	[ -w "$path" ] || { complain "not root: may not change tx_signal_rate of $1"; return 1; }
	echo "$2" 2>/dev/null >"$path" || {
		complain "$1 does not take tx_signal_rate $2; allowed: $(knob_range "$1")"
		return 1
	}
	now=$(cat "$path")
	[ "$now" = "$2" ] || { complain "$1 has tx_signal_rate $now after setting $2"; return 1; }
}

# setting_get IF KIND:NAME: another value of an interface, as ubench sweep --knob varies it
setting_get() {
	case $2 in
	sysfs:*) cat "$SYSFS/class/net/$1/${2#sysfs:}" ;;
	ethtool:ring-*) ethtool -g "$1" | sed -n "/^Current/,\$ s/^$(echo "${2#ethtool:ring-}" | tr rt RT):[[:space:]]*//p" | head -n 1 ;;
	ethtool:*) ethtool -c "$1" | sed -n "s/^${2#ethtool:}:[[:space:]]*//p" ;;
	*) return 1 ;;
	esac
}

# setting_set IF KIND:NAME VALUE: sets it unless it is so already
setting_set() {
	[ "$(setting_get "$1" "$2" 2>/dev/null)" != "$3" ] || return 0
	case $2 in
	sysfs:*) echo "$3" 2>/dev/null >"$SYSFS/class/net/$1/${2#sysfs:}" ;;
	ethtool:ring-*) ethtool -G "$1" "${2#ethtool:ring-}" "$3" ;;
	ethtool:*) ethtool -C "$1" "${2#ethtool:}" "$3" ;;
	*) false ;;
	esac || { complain "cannot set $2 of $1 to $3"; return 1; }
}

# state_read FILE: sets state_iface, state_rate, state_driver, state_hook and state_settings (KIND:NAME=VALUE, one a
# line) from a record of ubench sweep
state_read() {
	state_iface='' state_rate='' state_driver='' state_hook='' state_settings='' state_end=''
	while IFS='=' read -r key value; do
		case $key in
		iface) state_iface=$value ;;
		rate) state_rate=$value ;;
		driver) state_driver=$value ;;
		hook) state_hook=$value ;;
		set)
			state_settings="$state_settings$value
"
			;;
		end) state_end=$value ;;
		esac
	done <"$1"
	if [ "$state_end" != 1 ] || [ -z "$state_iface" ] || ! rate_normal "$state_rate" >/dev/null; then
		complain "$1 is not a whole record"
		return 1
	fi
}

# state_lock FILE: opens it as descriptor 9 and locks it; fails while the sweep that wrote it lives.
# Where there is no flock the pid in the record has to do.
state_lock() {
	exec 9<>"$1" || return 1
	if command -v flock >/dev/null; then
		flock -n 9
		return
	fi
	writer=$(sed -n 's/^pid=//p' "$1")
	[ -z "$writer" ] || ! kill -0 "$writer" 2>/dev/null
}

# driver_of IF: patched or unpatched, by what the interface offers
driver_of() { if [ -e "$(knob_path "$1")" ]; then echo patched; else echo unpatched; fi; }
