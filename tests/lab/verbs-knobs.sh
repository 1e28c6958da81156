# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: every pair of knob values of VERBS_UD runs to its end over rxe, loses nothing, and takes as many completions as it signals.
# driver: none
# timeout: 240
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

COUNT=400 # packets of each queue pair; the receive queues hold them all

# check WAY N L DEPTH QPS SIZE INLINE BY API
check() {
	local target='' events='' n=$2 want
	[ "$1" = rdma_cm ] || target="-d rxe_ra --peer-device rxe_rb"
	[ "$8" = polling ] || events=-e
	# shellcheck disable=SC2086 # words
	verbs -H $RXE_B --json -- --source $RXE_A $target -n $COUNT -Q "$n" -l "$3" -t "$4" -q "$5" -s "$6" -I "$7" \
		--post-api "$9" -r 512 $events || { expect "$* runs" 1 -eq 0; return 1; }
	# A signal rate over the depth becomes the depth: the request that fills the queue is signaled.
	[ "$n" -le "$4" ] || n=$4
	want=$(((COUNT + n - 1) / n * $5))
	account_holds || return 1
	expect "$* loses nothing" "$(figure lost_packets /tmp/verbs.json)" -eq 0 &&
		expect "$* sends all" "$(figure work_requests /tmp/verbs.json)" -eq $((COUNT * $5)) &&
		expect "$* signals one in $n" "$(figure signaled /tmp/verbs.json)" -eq $want &&
		expect "$* polls what it signals" "$(first_figure completions /tmp/verbs.json)" -eq $want
}

rxe_pair_up && server_start $RXE_B || exit 1
# Every pair of values of two columns is in one of these lines.
while read -r line; do
	# shellcheck disable=SC2086 # words
	check $line || exit 1
	echo "$line: ok, $(figures post_calls /tmp/verbs.json)post calls"
done <<'TABLE'
device   4    8   16   3  100   128  polling  post_send
rdma_cm  200  32  128  1  1024  0    events   post_send
rdma_cm  16   1   16   1  16    128  polling  wr
device   16   1   128  3  100   0    events   wr
rdma_cm  1    8   16   3  1024  0    polling  wr
device   200  8   128  1  16    128  events   wr
device   4    32  128  3  16    0    polling  wr
rdma_cm  1    32  128  1  100   128  polling  post_send
rdma_cm  4    1   16   1  1024  128  events   post_send
device   16   32  16   3  1024  128  polling  post_send
rdma_cm  200  1   16   3  100   0    polling  post_send
device   1    1   16   1  16    0    events   post_send
rdma_cm  16   8   128  3  100   0    events   post_send
TABLE
