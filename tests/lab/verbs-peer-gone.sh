# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: when either side of a VERBS_UD run is killed the other ends with one line, frees what it held, and the next run works.
# driver: none
# timeout: 90
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

sent() { cat /sys/class/infiniband/rxe_ra/ports/1/hw_counters/sent_pkts; }
has_sent() { [ "$(sent)" -ge "$1" ]; }
queue_pairs() { $rdma resource show qp 2>/dev/null | grep -c ubench; }
no_queue_pairs() { [ "$(queue_pairs)" -eq 0 ]; }
gone() { ! kill -0 "$1"; }

# start ARGS...: a long run in the background, $client, until packets flow
start() {
	local before
	before=$(sent)
	$UBENCH VERBS_UD -H $RXE_B -l 60 --json -- -Q 16 "$@" >/tmp/verbs.json 2>/tmp/verbs.err &
	client=$!
	wait_until 10 has_sent $((before + 200)) || fail "no packets flow: $(cat /tmp/verbs.err)"
}

# either_side ARGS...: kill the server, then the client, of runs with these options
either_side() {
	server_start $RXE_B && start "$@" || return 1
	kill -9 $server_pid
	wait_until 5 gone $client || fail "the client runs on without its server" || return 1
	wait $client
	expect "a run without its receiver has failed" $? -eq 1 || return 1
	expect "that takes one line" "$(wc -l </tmp/verbs.err)" -eq 1 || return 1
	grep -q "server $RXE_B" /tmp/verbs.err || fail "it does not name the server: $(cat /tmp/verbs.err)" || return 1
	expect "what was sent is reported" "$(figure work_requests /tmp/verbs.json)" -gt 0 || return 1
	wait_until 5 no_queue_pairs || fail "queue pairs are left: $($rdma resource show qp)" || return 1

	server_start $RXE_B && start "$@" || return 1
	kill -9 $client
	wait $client
	wait_until 5 no_queue_pairs || fail "the server keeps $(queue_pairs) queue pairs" || return 1
	verbs -H $RXE_B --json -- -n 500 -Q 16 -r 1024 "$@" && account_holds ||
		fail "no run after that: $(cat /tmp/verbs.err)" || return 1
	servers_stop
	echo "$*: both sides survive the other"
}

rxe_pair_up || exit 1
either_side --source $RXE_A && either_side -d rxe_ra --peer-device rxe_rb
