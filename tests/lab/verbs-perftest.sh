# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# shows: VERBS_UD beside perftest's ib_send_bw -c UD: same size, depth, signaling and list, the ratio of their rates, and the loss one cannot tell.
# driver: none
# timeout: 240
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

COUNT=4000 SIZE=100 DEPTH=128
# Both poll; perftest's receiver waits for every packet, so its receive queue must hold them.
RX_DEPTH=$((COUNT + 64))

# perftest_rate N LIST SECS [-e]: packets a second of ib_send_bw, nothing when its ends do not both end in time
perftest_rate() {
	local pid
	timeout "$3" ib_send_bw -c UD -d rxe_rb -x 1 -s $SIZE -n $COUNT -t $DEPTH -r $RX_DEPTH -Q "$1" -l "$2" -F ${4:-} \
		>/tmp/perf-server.log 2>&1 &
	pid=$!
	wait_until 10 perftest_listens || return 1
	timeout "$3" ib_send_bw -c UD -d rxe_ra -x 1 -s $SIZE -n $COUNT -t $DEPTH -r $RX_DEPTH -Q "$1" -l "$2" -F ${4:-} \
		$RXE_B >/tmp/perf.log 2>&1
	wait $pid 2>/dev/null || return 1
	# columns: bytes, iterations, peak, average, million packets a second
	awk -v size=$SIZE '$1 == size && NF == 5 { printf "%d\n", $5 * 1000000 }' /tmp/perf.log
}
perftest_listens() { netstat -ltn | grep -q ':18515 '; }

# ours N LIST [-e]: packets a second of VERBS_UD
ours() {
	verbs -H $RXE_B --json -- -d rxe_ra -x 1 --peer-device rxe_rb:1:1 -s $SIZE -n $COUNT -t $DEPTH -r $RX_DEPTH \
		-Q "$1" -l "$2" ${3:-} && account_holds || return 1
	sed -n '/"sum_sent"/,$s/.*"packets_per_second": \([0-9]*\).*/\1/p' /tmp/verbs.json | head -n1
}

rxe_pair_up && server_start $RXE_B || exit 1
echo 'N  list  completions  perftest  VERBS_UD  ratio'
while read -r n list events; do
	theirs=$(perftest_rate "$n" "$list" 20 $events)
	mine=$(ours "$n" "$list" $events) || { cat /tmp/verbs.err; exit 1; }
	if [ "${theirs:-0}" -eq 0 ] && [ -n "$events" ]; then
		# It sleeps with completions left in the queue, if its luck is bad.
		echo "$n $list events: ib_send_bw stalls, VERBS_UD $mine"
		continue
	fi
	[ "${theirs:-0}" -gt 0 ] || { cat /tmp/perf.log /tmp/perf-server.log; fail "ib_send_bw gives no rate"; exit 1; }
	echo "$n $list ${events:-poll} $theirs $mine" | awk '{ printf "%-3d %-5d %-12s %8d  %8d  %.2f\n", $1, $2, $3, $4, $5, $5 / $4 }'
	# Sanity, not speed: a machine that is busy elsewhere must not fail it.
	expect "a tenth of perftest's rate" $((mine * 10)) -ge "$theirs" || exit 1
done <<'TABLE'
1 1
16 1
64 1
16 16
16 1 -e
TABLE

# With loss perftest's receiver waits for packets that do not come; ours says how many those are.
modprobe sch_netem && /usr/sbin/tc qdisc replace dev ra root netem loss 5% || exit 1
ours 16 1 >/dev/null || exit 1
expect "loss is told" "$(figure lost_packets /tmp/verbs.json)" -gt 0 || exit 1
echo "5 % netem loss: VERBS_UD tells $(figure lost_packets /tmp/verbs.json) of $COUNT lost"
perftest_rate 16 1 10 >/dev/null && echo "ib_send_bw ends" || echo "ib_send_bw has no result after 10 s"
