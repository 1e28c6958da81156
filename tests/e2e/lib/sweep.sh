# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A host with a knob but without InfiniBand: a copy of the sysfs files that a sweep uses, and a real
# ubench server on loopback. Sourced by the sweep-* and knob-* tests; run from the top of the tree.

# shellcheck source=tests/e2e/lib/poll.sh
. "$(dirname "${BASH_SOURCE[0]}")/poll.sh"
ubench=$PWD/build/ubench
work=$(mktemp -d)
chmod 755 "$work"
export TXSIG_SYSFS=$work/sys TXSIG_STATE_DIR=$work/state
net=$work/sys/class/net/ib0
port=$((20000 + RANDOM % 20000))
server=''

cleanup() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

mkdir -p "$net" "$work/sys/module/ib_ipoib/parameters"
echo 3 >"$net/tx_signal_rate"
echo 128 >"$work/sys/module/ib_ipoib/parameters/send_queue_size"

fail() {
	echo "FAIL: $*"
	[ ! -s "$work/err" ] || sed 's/^/stderr: /' "$work/err"
	exit 1
}

# script CODE ARGUMENTS...: tx-signal-rate under $shell, with that exit code; output in $work/out, complaint in $work/err
script() {
	local code=$1
	shift
	status=0
	# shellcheck disable=SC2086,SC2154 # a shell may be two words; the test names it
	$shell sysfs-scripts/tx-signal-rate "$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status = "$code" ] || fail "$shell: exit $status, not $code: $*"
}

start_server() {
	"$ubench" server --bind 127.0.0.1 --port "$port" >/dev/null 2>&1 &
	server=$!
	poll 10 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null || fail "the server does not listen"
}

# sweep ARGUMENTS...: runs it, streams in $work/out and $work/err, exit code in $status
sweep() {
	status=0
	"$ubench" sweep "$@" >"$work/out" 2>"$work/err" || status=$?
}

knob() { cat "$net/tx_signal_rate"; }
idle() { [ ! -e "$TXSIG_STATE_DIR/ib0.state" ]; }
knob_is() { [ "$(knob 2>/dev/null)" = "$1" ]; }
# saw CODE TEXT: how the last sweep ended, and what it said
saw() { [ "$status" = "$1" ] && grep -qF -- "$2" "$work/err"; }
errors() { wc -l <"$work/err"; }

# nothing_left: the value from before, no record, no result half written
nothing_left() {
	knob_is 3 || fail "tx_signal_rate is $(knob), was 3"
	idle || fail "a record is left"
	[ -z "$(find "$work" -name '*.partial*')" ] || fail "a half-written result is left"
	[ ! -e "$work/result" ] || fail "a result is there"
}

# An unlimited test that needs no server, and a short one.
endless=(UDP_STREAM -N -H 127.0.0.1 -l 600 -- -m 100)
short=(UDP_STREAM -H 127.0.0.1 -p "$port" -l 0.2 -- -m 100)
