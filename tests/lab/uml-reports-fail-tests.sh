# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2034
# shows: on the checking kernel a test fails, and says why, when a checker has something to report: KASAN, kmemleak, lockdep,
# the debugging of objects, UBSAN
# driver: none
# lab: uml
# lockdep: spent
# timeout: 300
. lab/guest/run-tests.sh

# A report must not take this guest down, as it does any other.
echo 0 >/proc/sys/kernel/panic_on_warn
tests=/tmp/faulty
mkdir -p $tests

# caught KIND TEXT: a test that does nothing but commit the fault is a failed one, for the reason TEXT.
caught() {
	local line
	printf '# driver: none\ninsmod /txsig/modules/faulty/faulty.ko kind=%s && rmmod faulty\n' "$1" >"$tests/faulty-$1.sh"
	line=$(run_test "faulty-$1" | grep '^txsig-test:')
	echo "$line"
	case $line in
	"txsig-test: faulty-$1 1 "*"$2"*) ;;
	*) fail "$1 was not caught as '$2'" ;;
	esac
}

caught leak "kmemleak" || exit 1
caught sleep-in-atomic "sleeping function called from invalid context" || exit 1
caught live-timer "debug_print_object" || exit 1
caught shift "UBSAN" || exit 1
# These two turn lockdep off, and KASAN reports once; they come last, in the last test.
caught lock-order "possible circular locking" || exit 1
caught use-after-free "KASAN" || exit 1
printf '# driver: none\ntrue\n' >$tests/faulty-nothing.sh
run_test faulty-nothing | grep -q "lockdep has turned itself off" || fail "a test without lockdep passes" || exit 1
dmesg -c >/dev/null
