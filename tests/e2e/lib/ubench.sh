# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of ubench: two network namespaces joined by a veth pair, a server in one, clients in the other.
#
# Sourcing it sets up: namespaces $near (10.77.0.1, fd77::1, interface txsig0) and $far (10.77.0.2, fd77::2, txsig1);
# everything a test starts through it is stopped at exit.
set -euo pipefail

# shellcheck source=tests/e2e/lib/poll.sh
. "$(dirname "${BASH_SOURCE[0]}")/poll.sh"
ubench=${UBENCH:-$PWD/build/ubench}
near=txsig-near-$$ far=txsig-far-$$
work=$(mktemp -d)
pids=()

cleanup() {
	local status=$? pid
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null || continue
		wait "$pid" 2>/dev/null || true
	done
	ip netns del $near 2>/dev/null || true
	ip netns del $far 2>/dev/null || true
	rm -rf "$work"
	return $status
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

near() { ip netns exec $near "$@"; }
far() { ip netns exec $far "$@"; }

is_listening() { [ -n "$(far ss -Hltn "sport = :${1:-12866}")" ]; }

# Sanitizers need system calls that the sandbox refuses: UBENCH_SERVER_OPTIONS=--no-sandbox.
read -r -a common_options <<<"${UBENCH_SERVER_OPTIONS:-}"

# start_server: in $far, with the options in $server_options; sets $server; its output goes to $work/server.out and server.err.
server_options=()
start_server() {
	ip netns exec $far "$ubench" server "${common_options[@]}" "${server_options[@]}" >>"$work/server.out" 2>>"$work/server.err" &
	server=$!
	pids+=("$server")
	poll 10 is_listening || fail "the server does not listen: $(cat "$work/server.err")"
}

has_session() { pgrep -P "$server" >/dev/null; }
has_no_session() { ! has_session; }

# has_data: UDP packets have come to $far since the last start_client.
far_datagrams() { far awk '/^Udp: [0-9]/ { print $2 }' /proc/net/snmp; }
has_data() { [ "$(far_datagrams)" -gt "$datagrams" ]; }

# client TEST [OPTIONS...]: in $near, to the server.
client() {
	local test=$1
	shift
	near "$ubench" "$test" -H 10.77.0.2 "$@"
}

# start_client TEST [OPTIONS...]: as client, in the background; sets $client; writes $work/run and $work/run.err.
start_client() {
	local test=$1
	shift
	datagrams=$(far_datagrams)
	ip netns exec $near "$ubench" "$test" -H 10.77.0.2 "$@" >"$work/run" 2>"$work/run.err" &
	client=$!
	pids+=("$client")
	[ -z "${server:-}" ] || poll 5 has_session || fail "no session"
}

# client_status SECONDS: sets $status to the exit code of the client in the background, which must end in time.
client_has_ended() { ! kill -0 "$client" 2>/dev/null; }
client_status() {
	poll "$1" client_has_ended || fail "the client does not end within $1 s"
	status=0
	wait "$client" || status=$?
}

# punctual FUNCTION [ARGUMENTS...]: it passes, in a shell of its own. When it fails while the host itself woke somebody up more
# than 5 ms late (others' turns, a stolen CPU), that says nothing about ubench: the whole measurement is made again, up to 4 times.
punctual() {
	local _ late late_ms
	[ -x "$work/late" ] || "${CC:-gcc}" -O1 -o "$work/late" tests/e2e/lib/late.c
	for _ in 1 2 3 4; do
		"$work/late" >"$work/late.out" &
		late=$!
		if ("$@") >"$work/measurement" 2>&1; then
			kill $late
			wait $late
			return 0
		fi
		kill $late
		wait $late
		late_ms=$(cat "$work/late.out")
		[ "$late_ms" -gt 5 ] || break
	done
	cat "$work/measurement"
	fail "late by itself: the host was $late_ms ms late at most"
}

# holds FILE EXPRESSION: a jq expression is true of the JSON document.
holds() {
	jq -e "$2" "$1" >/dev/null || fail "does not hold: $2 in $(cat "$1")"
}

# is_valid FILE: against the schema of results.
is_valid() {
	[ -x build/tests/test_result_schema ] || make -s build/tests/test_result_schema >/dev/null
	build/tests/test_result_schema "$1" || fail "not valid: $(cat "$1")"
}

# The identity that every counted run must satisfy.
holds_account() {
	is_valid "$1"
	holds "$1" '.end | .sum_sent.packets == .sum_received.packets + .sum_received.lost_packets
		and .sum_received.lost_packets == ([.loss[]] | add)
		and .sum_received.lost_packets >= 0
		and .sum_received.lost_percent >= 0 and .sum_received.lost_percent <= 100'
}


# expect CODE COMMAND...: exit code as given, stderr (kept in $work/err) of one line, within 10 s.
expect() {
	local want=$1 got=0
	shift
	"$@" >"$work/out" 2>"$work/err" || got=$?
	[ $got -eq "$want" ] || fail "exit $got, not $want: $* ($(cat "$work/err"))"
	[ "$(wc -l <"$work/err")" -le 1 ] || fail "more than one line on stderr: $(cat "$work/err")"
}

ip netns add $near
ip netns add $far
# A link-local address that still waits for duplicates is not used as source: the server then sees no scope to answer in.
for netns in $near $far; do
	ip netns exec $netns sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
done
ip -n $near link add txsig0 type veth peer name txsig1 netns $far
ip -n $near addr add 10.77.0.1/24 dev txsig0
ip -n $far addr add 10.77.0.2/24 dev txsig1
ip -n $near addr add fd77::1/64 dev txsig0 nodad
ip -n $far addr add fd77::2/64 dev txsig1 nodad
ip -n $near link set lo up
ip -n $far link set lo up
ip -n $near link set txsig0 up
ip -n $far link set txsig1 up
