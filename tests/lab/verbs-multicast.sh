# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: VERBS_UD sends to two receivers of a multicast group and tells the loss of each.
# driver: none
# timeout: 90
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT
modprobe sch_netem || exit 1

GROUP=239.1.2.3
run() { verbs -H $RXE_B --json "$@" -- -g $GROUP --source $RXE_A --receiver $RXE_C -n 1000 -Q 8 -r 4096; }
# packets and losses of both receivers, in the order of the command line
of_each() { sed -n '/"receivers"/,$p' /tmp/verbs.json | sed -n "s/.*\"$1\": \([0-9]*\),*\$/\1/p" | tr '\n' ' '; }

rxe_bridge_up && server_start $RXE_B && server_start $RXE_C || exit 1
run || { cat /tmp/verbs.err; exit 1; }
expect "each receiver has all of 1000" "$(of_each packets)" = "1000 1000 " || exit 1
echo "1000 packets: $(of_each packets)received"

/usr/sbin/tc qdisc replace dev rc_br root netem loss 20%
run && account_holds || exit 1
# shellcheck disable=SC2046 # two words
set -- $(of_each lost_packets)
expect "the receiver on the good link loses nothing" "$1" -eq 0 || exit 1
expect "the other loses some" "$2" -gt 0 || exit 1
expect "the sum is that of the worse one" "$(first_figure lost_packets /tmp/verbs.json)" -eq "$2" || exit 1
echo "20 % netem loss on one link: $1 and $2 lost"
