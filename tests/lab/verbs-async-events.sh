# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a port that goes down and comes back during a VERBS_UD run is told by name, kept in the result, and its loss is counted.
# driver: none
# timeout: 60
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

rxe_pair_up && server_start $RXE_B || exit 1
sent() { cat /sys/class/infiniband/rxe_ra/ports/1/hw_counters/sent_pkts; }
has_sent() { [ "$(sent)" -gt 300 ]; }
port_is_down() { ! port_active rxe_ra; }
(
	wait_until 20 has_sent
	$ip link set rb down
	wait_until 10 port_is_down
	$ip link set rb up
) &
cable=$!
verbs -H $RXE_B --json -l 5 -- -d rxe_ra --peer-device rxe_rb -Q 8
expect "the run goes on" $? -eq 0 || exit 1
wait $cable
account_holds || exit 1
grep -q 'rxe_ra: IBV_EVENT_PORT_ERR (port error)' /tmp/verbs.err || fail "not told: $(cat /tmp/verbs.err)" || exit 1
sed -n '/"async_events"/,/]/p' /tmp/verbs.json | grep -q IBV_EVENT_PORT_ERR || fail "not in the result" || exit 1
expect "what was sent meanwhile is lost" "$(figure lost_packets /tmp/verbs.json)" -gt 0 || exit 1
cat /tmp/verbs.err
