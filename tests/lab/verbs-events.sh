# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: in event mode VERBS_UD misses no completion (it arms, polls again, then waits), sleeps in between at both ends (perftest #137, PR 203)
# driver: none
# timeout: 90
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

# run N DEPTH: 3000 packets with one completion in N
run() {
	verbs -H $RXE_B --json -- -d rxe_ra --peer-device rxe_rb -n 3000 -e -Q "$1" -t "$2" -r 4096 &&
		account_holds && expect "all of 3000 arrive" "$(figure packets /tmp/verbs.json)" -eq 3000
}

rxe_pair_up && server_start $RXE_B || exit 1
# The narrowest queue waits for each packet's completion: one event lost would stall it for ever.
run 1 1 || exit 1
expect "the receiver sleeps between packets" "$(figure completion_events /tmp/verbs.json)" -gt 0 || exit 1

# rxe completes a send at once, unless too many packets wait in the interface's queue: a slow one makes the sender wait.
modprobe sch_tbf && /usr/sbin/tc qdisc replace dev ra root tbf rate 2mbit burst 1600 limit 1000000 || exit 1
run 1 128 || exit 1
expect "the sender sleeps" "$(first_figure completion_events /tmp/verbs.json)" -gt 0 || exit 1
run 32 128 || exit 1
events=$(first_figure completion_events /tmp/verbs.json)
expect "it sleeps at one signal in 32 too" "$events" -gt 0 || exit 1
expect "an event stands for a completion at least" "$events" -le "$(figure signaled /tmp/verbs.json)" || exit 1
