# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# shows: ubench sweep --knob signal-rate gives the tables and files of an IPoIB sweep, with one completion in N at each rate.
# driver: none
# timeout: 120
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT
export TXSIG_STATE_DIR=/tmp/state

column() { sed -n "s/^$1,//p" /tmp/sweep/summary.csv | cut -d, -f4; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b * 0.98 && a < b * 1.02) }'; }

rxe_pair_up && server_start $RXE_B || exit 1
rm -rf /tmp/sweep
$UBENCH sweep --knob signal-rate --rates 1,4,16 --repeat 2 --warmup 0 --output /tmp/sweep \
	-- VERBS_UD -H $RXE_B -- -d rxe_ra --peer-device rxe_rb -n 4800 -r 8192 >/tmp/sweep.out 2>/tmp/verbs.err ||
	fail "the sweep: $(cat /tmp/verbs.err)" || exit 1
cat /tmp/sweep.out
expect "the path is the last line" "$(tail -n1 /tmp/sweep.out)" = /tmp/sweep || exit 1
head -n1 /tmp/sweep/summary.csv | grep -q 'sender_pps,receiver_pps,loss_percent,cqes_per_packet' || exit 1
near "$(column 1)" 1 && near "$(column 4)" 0.25 && near "$(column 16)" 0.0625 ||
	fail "completions per packet: $(cat /tmp/sweep/summary.csv)" || exit 1
grep -q '"knob": "signal-rate"' /tmp/sweep/run.json || exit 1

$UBENCH sweep --knob signal-rate --rates unpatched,1 -- VERBS_UD -H $RXE_B 2>/tmp/verbs.err
expect "no unpatched point" $? -eq 2 || exit 1
$UBENCH sweep --knob signal-rate -- UDP_STREAM -H $RXE_B 2>/tmp/verbs.err
expect "no other test" $? -eq 2 || exit 1
