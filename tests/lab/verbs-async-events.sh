# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: a port that goes down during a VERBS_UD run is told by name and kept in the result; its loss is counted, or the queue pair's error named.
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
status=$?
wait $cable
grep -q 'rxe_ra: IBV_EVENT_PORT_ERR (port error)' /tmp/verbs.err || fail "not told: $(cat /tmp/verbs.err)" || exit 1
sed -n '/"async_events"/,/]/p' /tmp/verbs.json | grep -q IBV_EVENT_PORT_ERR || fail "not in the result" || exit 1
cat /tmp/verbs.err
if [ $status -eq 0 ]; then
	account_holds || exit 1
	expect "what was sent meanwhile is lost" "$(figure lost_packets /tmp/verbs.json)" -gt 0 || exit 1
else
	# Newer kernels' rxe moves the queue pair to its error state when a packet cannot leave.
	grep -q 'work request [0-9]* of flow 0 .* failed with IBV_WC_' /tmp/verbs.err || exit 1
	expect "what was sent before is reported" "$(figure work_requests /tmp/verbs.json)" -gt 300 || exit 1
fi
