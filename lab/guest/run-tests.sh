# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Guest side of the lab tests: a fresh fabric and driver for each test, a time limit, and a look at the kernel log.
# shellcheck source=lab/guest/lib.sh
. /txsig/lab/guest/lib.sh
# shellcheck source=tests/lab/lib/leaks.sh
. /txsig/tests/lab/lib/leaks.sh

tests=/txsig/tests/lab
test_header() { sed -n "s/^# $2: *//p" "$tests/$1.sh" | head -n1; }

# The driver a test starts with: none is nothing at all, fabric is HCAs and OpenSM without IPoIB.
set_up() {
	local driver=$1
	[ "$driver" != none ] || return 0
	# shellcheck disable=SC2119 # no parameters
	fabric_up || return 1
	[ "$driver" != fabric ] || return 0
	driver_load "$driver"
}

tear_down() {
	$ip -all netns del 2>/dev/null
	[ ! -e /sys/module/ib_ipoib ] || rmmod ib_ipoib || return 1
	opensm_stop || return 1
	[ ! -e /sys/module/softib ] || rmmod softib || return 1
}

# memory_leaks: what kmemleak finds; true if that is something. It lets pass what is younger than 5 s, and does not report
# again what it has reported.
kmemleak=/sys/kernel/debug/kmemleak
memory_leaks() {
	[ -e $kmemleak ] || return 1
	sleep 6
	# What has changed since the scan before is taken to be in use.
	echo scan >$kmemleak
	echo scan >$kmemleak
	cat $kmemleak
	grep -q . $kmemleak || return 1
	echo clear >$kmemleak
}

# The first report turns lockdep off, and the tests after it would pass for nothing. One that means to says `# lockdep: spent`,
# and is the last of its guest.
lockdep_is_off() { grep -q '^ *debug_locks: *0' /proc/lockdep_stats 2>/dev/null; }

# run_test NAME[+ENGINE]
run_test() {
	local title=$1 name=${1%+*} driver limit start status=0 reason=''
	[ "$title" = "$name" ] || local TXSIG_FABRIC="engine=${title#*+}"
	export TXSIG_FABRIC
	driver=$(test_header "$name" driver)
	limit=$(test_header "$name" timeout)
	dmesg -c >/dev/null
	start=$(uptime_ms)
	if ! set_up "${driver:-patched}" >"/tmp/$title.log" 2>&1; then
		status=1 reason="set-up failed"
	else
		timeout -k 2 "${limit:-60}" sh -c ". /txsig/lab/guest/lib.sh; cd /txsig; . $tests/$name.sh" \
			>>"/tmp/$title.log" 2>&1 </dev/null || status=$?
		case $status in
		0) reason=$(tail -n1 "/tmp/$title.log") ;;
		124 | 137 | 143) reason="no end within ${limit:-60} s" ;;
		*) reason=$(tail -n1 "/tmp/$title.log") ;;
		esac
	fi
	if ! tear_down >>"/tmp/$title.log" 2>&1 && [ $status = 0 ]; then
		status=1 reason="tear-down failed: $(tail -n1 "/tmp/$title.log")"
	fi
	# Of the driver's tests: other parts' leave namespaces behind that take their time.
	case $name in
	ipoib-*)
		if ! leaks_check >>"/tmp/$title.log" 2>&1 && [ $status = 0 ]; then
			status=1 reason=$(tail -n1 "/tmp/$title.log")
		fi
		;;
	esac
	if log_faults >>"/tmp/$title.log" && [ $status = 0 ]; then
		status=1 reason="the kernel log: $(log_faults | head -n1)"
	fi
	if memory_leaks >>"/tmp/$title.log" && [ $status = 0 ]; then
		status=1 reason="kmemleak: $(grep -c '^unreferenced' "/tmp/$title.log") objects are lost"
	fi
	if [ "$(test_header "$name" lockdep)" != spent ] && lockdep_is_off && [ $status = 0 ]; then
		status=1 reason="lockdep has turned itself off"
	fi
	[ $status = 0 ] || sed 's/^/txsig-log: /' "/tmp/$title.log" | tail -n 30
	echo "txsig-test: $title $status $((($(uptime_ms) - start + 500) / 1000)) $reason"
	cp "/tmp/$title.log" /out/
}

run_tests() {
	local name
	leaks_baseline
	for name in "$@"; do
		run_test "$name"
	done
}
