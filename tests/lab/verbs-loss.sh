# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: VERBS_UD counts every packet that netem drops, doubles or reorders, and those that find no receive request or the wrong Q_Key.
# driver: none
# timeout: 120
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT
modprobe sch_netem || exit 1

run() { verbs -H $RXE_B --json -- -d rxe_ra --peer-device rxe_rb -n 2000 -Q 8 -r 4096 "$@"; }
netem() { /usr/sbin/tc qdisc replace dev ra root netem "$@"; }
dropped() { /usr/sbin/tc -s qdisc show dev ra | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p'; }
get() { figure "$1" /tmp/verbs.json; }

rxe_pair_up && server_start $RXE_B || exit 1

netem loss 10%
run && account_holds || exit 1
expect "lost is what netem dropped" "$(get lost_packets)" -eq "$(dropped)" || exit 1
expect "netem dropped some" "$(get lost_packets)" -gt 0 || exit 1
expect "the cause of that is not known" "$(get unknown)" -eq "$(get lost_packets)" || exit 1
echo "loss 10 %: $(get lost_packets) of 2000 lost, as netem says"

netem duplicate 20%
run && account_holds || exit 1
expect "no loss by duplicates" "$(get lost_packets)" -eq 0 || exit 1
expect "duplicates are seen" "$(get duplicates)" -gt 0 || exit 1
echo "duplicate 20 %: $(get duplicates) duplicates, 0 lost"

netem delay 5ms reorder 75% 25% limit 5000
run && account_holds || exit 1
expect "no loss by reordering" "$(get lost_packets)" -eq 0 || exit 1
expect "reordering is seen" "$(get out_of_order)" -gt 0 || exit 1
echo "reorder: $(get out_of_order) out of order, 0 lost"

netem loss 100%
run
expect "nothing arriving is a failed run" $? -eq 1 || exit 1
expect "all is lost" "$(get lost_packets)" -eq 2000 || exit 1
grep -q 'data blocked' /tmp/verbs.err || { cat /tmp/verbs.err; exit 1; }
/usr/sbin/tc qdisc del dev ra root

# One receive request at a time, and a receiver that sleeps between them.
run -r 1 -e -l 32 && account_holds || exit 1
expect "an empty receive queue loses" "$(get lost_packets)" -gt 0 || exit 1
expect "and is told as the cause" "$(get receive_queue)" -eq "$(get lost_packets)" || exit 1
echo "receive depth 1: $(get lost_packets) lost for want of a receive request"

run --qkey 0x1234567 && account_holds || exit 1
expect "a wrong Q_Key is the cause" "$(get wrong_qkey)" -eq 2000 || exit 1
echo "wrong Q_Key: 2000 lost, all for it"
